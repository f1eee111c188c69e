import * as fc from 'fast-check'
import { markPlayers } from '@wakestone/protocol/antibot'
import { afterEach, expect, test } from 'vitest'
import { makeRoute } from '../test-support/route-feed-server.ts'
import { createAttackWatch, stemOf } from './attack-watch.ts'
import { createGuard, type Guard, type Guarded, usualRules } from './guard.ts'

const clock = { now: 0 }
const guards: Guard[] = []
afterEach(() => {
  for (const guard of guards.splice(0)) guard.close()
})
function makeGuard() {
  clock.now = 1_000_000
  const guard = createGuard(usualRules, () => clock.now)
  guards.push(guard)
  return guard
}
const serverId = '7b1f2e1c-0f0b-4a3e-9d2e-0a5a3c1d2e3f'
const guarded = (mode: 'on' | 'automatic', names: string[] = []) =>
  makeRoute({
    host: 'game.test',
    serverId,
    antibot: { mode, known: markPlayers(serverId, names) },
  }) as Guarded
const bot = (index: number) => ({
  name: `x${index.toString(36).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`,
  address: `10.${(index >> 8) & 255}.${index & 255}.7`,
})
const flood = (guard: Guard, route: Guarded, count = 40, from = 0) =>
  Array.from({ length: count }, (_, index) => {
    clock.now += 50
    return guard.examine(route, bot(from + index)).way
  })

test('newcomers come in as usual until too many do, and again once it is quiet', () => {
  const guard = makeGuard()
  const route = guarded('automatic')
  const ways = flood(guard, route)
  expect(ways.slice(0, 19)).toEqual(Array(19).fill('in'))
  expect(ways.slice(19)).toEqual(Array(21).fill('prove'))
  expect(guard.attacks()).toEqual([{ serverId, since: 1_000_000 + 20 * 50 }])
  clock.now += usualRules.attack.quietMs + 1
  expect(guard.attacks()).toEqual([])
  expect(guard.examine(route, { name: 'Nadia', address: '192.0.2.1' }).way).toBe('in')
})

test('one who is new and comes again and again is no crowd', () => {
  const guard = makeGuard()
  const route = guarded('automatic')
  const comer = { name: 'Nadia_7', address: '192.0.2.1' }
  for (let index = 0; index < 60; index += 1) expect(guard.examine(route, comer).way).toBe('in')
  expect(guard.attacks()).toEqual([])
})

test('who has played before comes in whatever goes on', () => {
  const guard = makeGuard()
  const route = guarded('automatic', ['Steve', 'alex'])
  flood(guard, route, 300)
  expect(guard.examine(route, { name: 'sTEVE', address: '192.0.2.1' })).toEqual({ way: 'in', isNewcomer: false })
  expect(guard.examine(route, { name: 'Alex', address: '192.0.2.2' })).toEqual({ way: 'in', isNewcomer: false })
  expect(guard.examine(route, { name: 'Stev', address: '192.0.2.3' }).way).toBe('prove')
})

test('a known name is no way in for a crowd that uses it', () => {
  const guard = makeGuard()
  const route = guarded('on', ['Steve'])
  const ways = Array.from(
    { length: 200 },
    (_, index) => guard.examine(route, { name: 'Steve', address: bot(index).address }).way,
  )
  expect(ways.filter((way) => way === 'in').length).toBe(20)
})

test('a second join counts, but not at once, not too late, and not from elsewhere', () => {
  const guard = makeGuard()
  const route = guarded('on')
  const nadia = { name: 'Nadia', address: '192.0.2.1' }
  expect(guard.examine(route, nadia)).toEqual({ way: 'prove' })
  guard.askToRejoin(route, nadia)
  clock.now += 500
  expect(guard.examine(route, nadia)).toEqual({ way: 'away', reason: 'too_soon' })
  clock.now += 5_000
  expect(guard.examine(route, { ...nadia, address: '198.51.100.1' })).toEqual({ way: 'prove' })
  expect(guard.examine(route, nadia)).toEqual({ way: 'in', isNewcomer: true })
  expect(guard.examine(route, nadia)).toEqual({ way: 'in', isNewcomer: true })
  const late = { name: 'Late', address: '192.0.2.9' }
  guard.examine(route, late)
  guard.askToRejoin(route, late)
  clock.now += usualRules.rejoinMs.latest + 1
  expect(guard.examine(route, late)).toEqual({ way: 'prove' })
})

test('one address, one network, and one server take so many newcomers at a time', () => {
  const guard = makeGuard()
  const route = guarded('on')
  const tries = (address: (index: number) => string, count: number) =>
    Array.from(
      { length: count },
      (_, index) => guard.examine(route, { name: `n${index}`, address: address(index) }).way,
    )
  expect(tries(() => '192.0.2.1', 10).filter((way) => way === 'away').length).toBe(4)
  expect(tries((index) => `203.0.113.${index}`, 50).filter((way) => way === 'away').length).toBe(30)
  expect(tries((index) => `2001:db8:1:2::${index}`, 10).filter((way) => way === 'away').length).toBe(4)
  const admitted = Array.from({ length: 100 }, (_, index) => guard.verify(route, bot(1_000 + index)))
  expect(admitted.filter(Boolean).length).toBe(usualRules.perServer)
})

test('names that count up, and connections without a login, are an attack too', () => {
  const watch = createAttackWatch(usualRules.attack, () => clock.now)
  for (let index = 0; index < 9; index += 1) watch.newcomer(`Bot_${index}`)
  expect(watch.since()).toBeUndefined()
  watch.newcomer('bot_99')
  expect(watch.since()).toBe(clock.now)
  const other = createAttackWatch(usualRules.attack, () => clock.now)
  for (let index = 0; index < 40; index += 1) other.unfinished()
  expect(other.since()).toBe(clock.now)
  expect([stemOf('Steve'), stemOf('Bot12x3')]).toEqual([undefined, 'bot#x#'])
})

test('nothing that comes slowly is an attack, and no attack goes on when nothing comes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 600, max: 20_000 }), { maxLength: 200 }), (waits) => {
      clock.now = 0
      const watch = createAttackWatch(usualRules.attack, () => clock.now)
      for (const wait of waits) {
        clock.now += wait
        watch.newcomer('someone')
        expect(watch.since()).toBeUndefined()
      }
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 200 }), (waits) => {
      clock.now = 0
      const watch = createAttackWatch(usualRules.attack, () => clock.now)
      for (const wait of waits) {
        clock.now += wait
        watch.newcomer('someone')
        watch.unfinished()
      }
      clock.now += usualRules.attack.quietMs + 1
      expect(watch.since()).toBeUndefined()
    }),
  )
})

test('while it is strict, nobody unknown comes in without a proof, whatever the order of things', () => {
  const step = fc.record({
    who: fc.integer({ min: 0, max: 12 }),
    wait: fc.integer({ min: 0, max: 30_000 }),
    does: fc.constantFrom('join', 'join', 'ask', 'verify'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const guard = makeGuard()
      const route = guarded('on', ['Steve'])
      const askedAt = new Map<number, number>()
      const proven = new Set<number>()
      for (const { who, wait, does } of steps) {
        clock.now += wait
        const comer = bot(who)
        if (does === 'ask') {
          guard.askToRejoin(route, comer)
          askedAt.set(who, clock.now)
        } else if (does === 'verify') {
          if (guard.verify(route, comer)) proven.add(who)
        } else if (guard.examine(route, comer).way === 'in') {
          const since = clock.now - (askedAt.get(who) ?? Number.NEGATIVE_INFINITY)
          const hasRejoined = since >= usualRules.rejoinMs.soonest && since <= usualRules.rejoinMs.latest
          expect(hasRejoined || proven.has(who)).toBe(true)
          proven.add(who)
        }
      }
    }),
  )
})

test('what is remembered is bounded, however many come', () => {
  const guard = makeGuard()
  const route = guarded('on')
  for (let index = 0; index < 20_000; index += 1) {
    const comer = {
      name: `n${index}`,
      address: `2001:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`,
    }
    if (guard.examine(route, comer).way === 'prove') guard.askToRejoin(route, comer)
    guard.verify({ ...route, serverId: `server ${index}` }, comer)
  }
  // Servers, those who were asked, those who were verified, addresses and networks, and minutes.
  expect(guard.size()).toBeLessThanOrEqual(2_000 + 50_000 + 20_000 + 2 * 50_000 + 5_000)
})

test('figures of a minute are told whole, and again only when more was counted', () => {
  const guard = makeGuard()
  const route = guarded('on')
  guard.turnedAway(route, 'room_failed')
  const first = guard.figures.untold(10)
  expect(first).toMatchObject([{ serverId, joins: 0, verified: 0, turnedAway: { room_failed: 1 } }])
  guard.turnedAway(route, 'room_failed') // while it is on its way
  guard.figures.told(first)
  const second = guard.figures.untold(10)
  expect(second.reduce((sum, { turnedAway }) => Math.max(sum, turnedAway.room_failed ?? 0), 0)).toBe(2)
  guard.figures.told(second)
  expect(guard.figures.untold(10)).toEqual([])
})
