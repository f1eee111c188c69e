import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLanes } from './lanes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const look = (serverId: string, ownerId: string) => ({ serverId, ownerId })
type Leave = () => void

test('an owner whose servers never answer leaves places to all others', () => {
  const lanes = createLanes()
  const hanging = Array.from({ length: 8 }, (_, at) => lanes.enter(look(`fake-${at}`, 'attacker')))
  expect(hanging.filter((leave) => leave !== undefined)).toHaveLength(3)
  expect(lanes.enter(look('victim', 'customer'))).toBeDefined()
})

test('slow servers of many owners share two places, until they have been quick for ten minutes', () => {
  const lanes = createLanes()
  const owners = Array.from({ length: 8 }, (_, at) => look(`slow-${at}`, `owner-${at}`))
  for (const owner of owners) {
    const leave = lanes.enter(owner) as Leave
    vi.advanceTimersByTime(4_000)
    leave()
  }
  const again = owners.map((owner) => lanes.enter(owner)).filter((leave) => leave !== undefined)
  expect(again).toHaveLength(2)
  expect(lanes.enter(look('quick', 'owner-7'))).toBeDefined()

  for (const leave of again) leave()
  vi.advanceTimersByTime(11 * 60_000)
  expect(owners.map((owner) => lanes.enter(owner)).filter((leave) => leave !== undefined)).toHaveLength(8)
})

test('whatever comes and goes, no owner has more than three places and none is lost', () => {
  const step = fc.record({ owner: fc.nat(3), server: fc.nat(5), leaves: fc.boolean(), milliseconds: fc.nat(5_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const lanes = createLanes()
      const inside = new Map<number, Leave[]>()
      for (const { owner, server, leaves, milliseconds } of steps) {
        const own = inside.get(owner) ?? []
        inside.set(owner, own)
        vi.advanceTimersByTime(milliseconds)
        if (leaves) own.shift()?.()
        else {
          const leave = lanes.enter(look(`${owner}-${server}`, `owner-${owner}`))
          if (leave) own.push(leave)
        }
        expect(own.length).toBeLessThanOrEqual(3)
      }
      for (const leave of [...inside.values()].flat()) leave()
      vi.advanceTimersByTime(11 * 60_000)
      for (const owner of inside.keys()) {
        const places = Array.from({ length: 4 }, (_, at) => lanes.enter(look(`new-${at}`, `owner-${owner}`)))
        expect(places.map((leave) => leave !== undefined)).toEqual([true, true, true, false])
      }
    }),
  )
})
