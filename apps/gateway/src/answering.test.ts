import { networkInterfaces } from 'node:os'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { readLegacyResponse, writeLegacyPing } from '@wakestone/minecraft/legacy-ping'
import { readLoginDisconnect, writeLoginStart } from '@wakestone/minecraft/login'
import { readPacket } from '@wakestone/minecraft/packet'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { STATUS_REQUEST, writePing } from '@wakestone/minecraft/status'
import { plainText } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from './test-support/gateway.ts'
import { makeRoute } from './test-support/route-feed-server.ts'
import { openWire } from './test-support/wire.ts'

const states = ['stopped', 'preparing', 'starting', 'stopping', 'crashed', 'expired'] as const
const languages = ['en', 'pl', 'de'] as const
const words: Record<Route['language'], Record<(typeof states)[number], string>> = {
  en: {
    stopped: 'Grass is stopped',
    preparing: 'Grass is being prepared',
    starting: 'Grass is starting',
    stopping: 'Grass is stopping',
    crashed: 'Grass has crashed',
    expired: 'Grass has expired',
  },
  pl: {
    stopped: 'Grass jest zatrzymany',
    preparing: 'Grass jest przygotowywany',
    starting: 'Grass się uruchamia',
    stopping: 'Grass się zatrzymuje',
    crashed: 'Grass uległ awarii',
    expired: 'Grass wygasł',
  },
  de: {
    stopped: 'Grass ist gestoppt',
    preparing: 'Grass wird vorbereitet',
    starting: 'Grass startet gerade',
    stopping: 'Grass fährt herunter',
    crashed: 'Grass ist abgestürzt',
    expired: 'Grass ist abgelaufen',
  },
}

const cases = languages.flatMap((language) =>
  states.map((state) => ({ language, state, host: `${state}.${language}.test` })),
)
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway([
    ...cases.map(({ language, state, host }) => makeRoute({ host, state, language })),
    makeRoute({ host: 'sly.test', serverName: '§k§4Sly\n\u0007$&', maxPlayers: null }),
    makeRoute({ host: 'nowhere.test', state: 'running', backend: null }),
  ])
})
afterAll(() => gateway.close())

async function status(host: string, protocol = 769) {
  const answer = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: host, protocol })
  return { ...answer, text: plainText(answer.description) }
}

async function kick(host: string, { protocol = 769, intent = 'login' as 'login' | 'transfer' } = {}) {
  const wire = openWire(gateway.port)
  wire.socket.write(writeHandshake({ protocol, host, port: 25565, intent }))
  wire.socket.write(writeLoginStart('Steve', Buffer.alloc(16)))
  const packet = readPacket(await wire.closed())
  if (!packet) throw new Error('no kick')
  return readLoginDisconnect(packet)
}

test.each(cases)('$state in $language: the server list and a join say so', async ({ language, state, host }) => {
  const listed = await status(host)
  expect(listed.text).toMatch(new RegExp(`^${words[language][state]}\n.+`))
  expect(listed).toMatchObject({ protocol: 769, version: 'Wakestone', online: 0, max: 20 })
  expect(await kick(host)).toContain(words[language][state])
})

test('nobody under that name', async () => {
  expect((await status('no.test')).text).toContain('No server lives at this address')
  expect(await kick('no.test')).toContain('No server lives at this address')
  expect((await status('')).text).toContain('No server lives at this address')
  expect((await status('stopped.en.test.evil.test')).text).toContain('No server lives at this address')
})

test('running without a place is said not to answer', async () => {
  expect((await status('nowhere.test')).text).toContain('Grass is not responding')
})

test.each([
  'STOPPED.en.Test',
  'stopped.en.test.',
  'stopped.en.test\0FML2\0',
  'stopped.en.test.\0FORGE4',
  'stopped.en.test\x00203.0.113.9\x00069a79f444e94726a5befca90e38aaf5\x00[]',
  'stopped.en.test///203.0.113.9:5///1///sig',
  'stopped.en.test\\203.0.113.9',
])('the name is found in %j', async (host) => {
  expect((await status(host)).text).toContain('Grass is stopped')
})

test('the protocol of the client is echoed, old clients get named colours', async () => {
  for (const protocol of [47, 340, 769, 0x40000001, -1])
    expect((await status('stopped.en.test', protocol)).protocol).toBe(protocol)
  expect(JSON.stringify((await status('stopped.en.test', 340)).description)).toContain('"color":"blue"')
  expect(JSON.stringify((await status('stopped.en.test', 769)).description)).toContain('"color":"#8aa0ff"')
})

test('many versions at once do not make it forget or mix answers', async () => {
  for (let protocol = 0; protocol < 100; protocol++)
    expect((await status('stopped.de.test', protocol)).protocol).toBe(protocol)
})

test('a name cannot bring colours or lines of its own', async () => {
  const { description, max } = await status('sly.test')
  expect(JSON.stringify(description)).toContain('"k4Sly$& is stopped"')
  expect(max).toBe(0)
})

test('a transferred player is turned away as well', async () => {
  expect(await kick('stopped.pl.test', { protocol: 766, intent: 'transfer' })).toContain('Grass jest zatrzymany')
})

test('byte by byte is as good as at once', async () => {
  const wire = openWire(gateway.port)
  const sent = Buffer.concat([
    writeHandshake({ protocol: 769, host: 'stopped.en.test', port: 25565, intent: 'status' }),
    STATUS_REQUEST,
    writePing(Buffer.from('12345678')),
  ])
  for (const byte of sent) await new Promise((resolve) => wire.socket.write(Buffer.from([byte]), resolve))
  const received = await wire.closed()
  expect(received.toString()).toContain('Grass is stopped')
  expect(received.subarray(-10)).toEqual(writePing(Buffer.from('12345678')))
})

test('a status without a ping ends when the client ends', async () => {
  const wire = openWire(gateway.port)
  wire.socket.end(
    Buffer.concat([
      writeHandshake({ protocol: 769, host: 'stopped.en.test', port: 1, intent: 'status' }),
      STATUS_REQUEST,
    ]),
  )
  expect((await wire.closed()).toString()).toContain('Grass is stopped')
})

test('clients before 1.7 are answered in their three ways', async () => {
  const long = openWire(gateway.port)
  long.socket.write(writeLegacyPing({ form: '1.6', protocol: 74, host: 'Crashed.PL.test', port: 25565 }))
  expect(readLegacyResponse(await long.closed())).toEqual({
    protocol: 74,
    version: 'Wakestone',
    motd: '§c§lGrass uległ awarii',
    online: 0,
    max: 20,
  })
  const middle = openWire(gateway.port)
  middle.socket.write(writeLegacyPing({ form: '1.4' }))
  expect(readLegacyResponse(await middle.closed())).toMatchObject({ motd: '§7§lWhich server do you mean?' })
  const short = openWire(gateway.port)
  short.socket.write(writeLegacyPing({ form: 'beta' }))
  expect(readLegacyResponse(await short.closed())).toMatchObject({ motd: 'Which server do you mean?' })
  const ended = openWire(gateway.port)
  ended.socket.end(writeLegacyPing({ form: 'beta' }))
  expect(readLegacyResponse(await ended.closed())).toMatchObject({ motd: 'Which server do you mean?' })
})

test('a handshake that begins like a legacy ping is still a handshake', async () => {
  const host = `stopped.en.test\0${'x'.repeat(230)}`
  const bytes = writeHandshake({ protocol: 769, host, port: 25565, intent: 'status' })
  expect(bytes[0]).toBe(0xfe)
  expect((await status(host)).text).toContain('Grass is stopped')
})

const moving = async () => (await status('moving.test')).text

test('changes of the control plane show at once', async () => {
  gateway.feed.set(makeRoute({ host: 'moving.test', state: 'starting' }))
  await expect.poll(moving).toContain('Grass is starting')
  gateway.feed.set(makeRoute({ host: 'moving.test', state: 'crashed' }))
  await expect.poll(moving).toContain('Grass has crashed')
  gateway.feed.remove('moving.test')
  await expect.poll(moving).toContain('No server lives')
})

test('the figures tell what happened', async () => {
  await status('stopped.en.test')
  const text = await gateway.metrics()
  expect(text).toMatch(/^wakestone_gateway_answers_total\{kind="status",situation="stopped"\} \d+$/m)
  expect(text).toMatch(/^# TYPE wakestone_gateway_connections_open gauge$/m)
  expect(text).toMatch(/^wakestone_gateway_feed_connected 1$/m)
})

test('it listens on IPv4 and IPv6 unless told otherwise', async () => {
  const both = await startTestGateway([makeRoute({ host: 'stopped.en.test' })], { host: undefined })
  try {
    const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))
    const hosts = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']
    const answers = await Promise.all(hosts.map((host) => pingServer({ host, port: both.port })))
    expect(answers.map(({ version }) => version)).toEqual(hosts.map(() => 'Wakestone'))
  } finally {
    await both.close()
  }
})
