import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { briefRoute, type Route, routeSchema } from './gateway.ts'
import { readRoute } from './read-route.ts'

const serverId = '0190a0a0-0000-7000-8000-000000000001'
const route: Route = {
  serverId,
  host: 'meadow.example',
  serverName: 'Łąka',
  state: 'light_sleep',
  backend: { host: '127.0.0.1', port: 25_565 },
  way: null,
  maxPlayers: 20,
  language: 'pl',
  proxyProtocol: false,
  thaw: { endpoint: { kind: 'unix', path: '/run/s' }, ticket: 't' },
  canWake: true,
  hasRoom: true,
  anyVersion: false,
  expectedSeconds: 8.5,
  face: { description: '"Hi"', version: '1.21', versionProtocol: 767, max: 20, icon: null },
  door: { whitelist: null, banned: ['eve'], bannedAddresses: [] },
  sleptAt: '2026-11-26T00:00:00Z',
  bedrock: { port: 19_132, signalling: false },
  ports: [{ port: 30_000, target: 30_000 }],
  antibot: { mode: 'automatic', known: 'abc' },
}

test('a route is read as the schema reads it, whatever is in its fields', () => {
  const strange = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      null,
      true,
      3601,
      -1,
      1.5,
      2 ** 60,
      'running',
      'hologram',
      'de',
      { port: 1, host: 'a' },
      { port: 1 },
    ),
    ...Object.values(route).map((value) => fc.constant(value as unknown)),
  )
  const names = fc.constantFrom(...(Object.keys(route) as (keyof Route)[]), 'unknown' as keyof Route)
  fc.assert(
    fc.property(fc.array(fc.tuple(names, strange), { maxLength: 3 }), fc.boolean(), (changes, isBrief) => {
      const told: Record<string, unknown> = isBrief ? briefRoute(route) : { ...route }
      for (const [name, value] of changes) told[name] = value
      expect(readRoute(told)).toEqual(routeSchema.safeParse(told).data)
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(readRoute(json)).toEqual(routeSchema.safeParse(json).data)
    }),
  )
})

test('a brief route is a whole one again', () => {
  expect(readRoute(JSON.parse(JSON.stringify(briefRoute(route))))).toEqual(route)
  const usual = {
    ...route,
    thaw: null,
    face: null,
    door: null,
    bedrock: null,
    ports: [],
    antibot: null,
    canWake: false,
  }
  const brief = briefRoute(usual)
  expect(Object.keys(brief)).not.toContain('ports')
  expect(readRoute(JSON.parse(JSON.stringify(brief)))).toEqual(usual)
})
