import { afterEach, expect, test, vi } from 'vitest'
import { renewSession, sendToApi } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers one call after the other; an error stands for a line that is down. */
function answer(...answers: (number | Error)[]) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const next = answers.shift()
    if (next === undefined || next instanceof Error) throw next ?? new Error('asked too often')
    return new Response(null, { status: next })
  })
  return asked
}
const lineDown = new TypeError('Failed to fetch')

test('a session that has ended is renewed once, and the call is made again', async () => {
  const asked = answer(401, 204, 200)
  expect((await sendToApi('/api/v1/servers', {})).status).toBe(200)
  expect(asked).toEqual(['/api/v1/servers', '/api/v1/users/refresh', '/api/v1/servers'])
})

test('one that cannot be renewed any more is over', async () => {
  answer(401)
  expect(await renewSession()).toBe(false)
  answer(401, 401)
  expect((await sendToApi('/api/v1/servers', {})).status).toBe(401)
})

test.each([[lineDown], [503], [502], [429]])(
  'while the renewal is answered by %s, nobody is signed out',
  async (trouble) => {
    answer(trouble)
    await expect(renewSession()).rejects.toThrow(TypeError)
    answer(401, trouble)
    await expect(sendToApi('/api/v1/servers', {})).rejects.toThrow(TypeError)
    answer(204)
    expect(await renewSession()).toBe(true)
  },
)
