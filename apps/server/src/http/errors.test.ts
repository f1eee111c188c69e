import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { installErrorHandling } from './errors.ts'

test('who cannot be served now is told when to ask again', async () => {
  await using app = Fastify()
  installErrorHandling(app)
  app.get('/', async () => {
    throw new Error('timeout exceeded when trying to connect') // all connections were taken for too long
  })
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toEqual([
    503,
    'service_unavailable',
    '1',
  ])
})
