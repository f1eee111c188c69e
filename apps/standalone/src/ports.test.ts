import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readSettings } from '@wakestone/kit/settings'
import { choosePorts } from './ports.ts'

test('0 takes a free port, and the others follow the one of the site', async () => {
  const ports = await choosePorts(readSettings({ HTTP_PORT: '0', GAME_PORT: '0', SFTP_PORT: '0' }), {
    sandbox: true,
    discord: true,
    paypal: true,
    paynow: true,
  })
  expect(ports.http).toBeGreaterThan(0)
  expect(ports.metrics).toBe(ports.http + 100)
  expect(ports.sandbox).toBe(ports.http + 200)
  expect(ports.discord).toBe(ports.http + 201)
  expect(ports.paypal).toBe(ports.http + 202)
  expect(ports.paynow).toBe(ports.http + 203)
})

test('a taken port is named with its variable', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const settings = readSettings({ HTTP_PORT: '0', GAME_PORT: '0', SFTP_PORT: '0', METRICS_PORT: String(port) })
  await expect(choosePorts(settings, { sandbox: false, discord: false, paypal: false, paynow: false })).rejects.toThrow(
    `Port ${port} is taken by another program: set METRICS_PORT to a free one`,
  )
  blocker.close()
})

test('a port that two settings ask for is named with both', async () => {
  const settings = readSettings({ HTTP_PORT: '40400', GAME_PORT: '40501', SFTP_PORT: '0' })
  await expect(choosePorts(settings, { sandbox: false, discord: false, paypal: false, paynow: false })).rejects.toThrow(
    'Port 40501 is asked for twice, by GAME_PORT and by METRICS_PORT (unset: HTTP_PORT + 100): set one of them to a free one',
  )
})
