import { expect, it } from 'vitest'
import { createTextReader } from './text-reader.ts'

it('tries five times more, after 350 ms and then twice as long each time', async () => {
  const waits: number[] = []
  let tries = 0
  const reader = createTextReader({
    read: () => Promise.reject(new Error(`try ${++tries}`)),
    wait: async (milliseconds) => waits.push(milliseconds),
  })
  await expect(reader('/pl.json')).rejects.toThrow('try 6')
  expect(waits).toEqual([350, 700, 1400, 2800, 5600])
})

it('gives what a later try brings', async () => {
  let tries = 0
  const read = async (address: string) => {
    if (++tries < 3) throw new Error('away')
    return { address }
  }
  expect(await createTextReader({ read, wait: async () => {} })('/pl.json')).toEqual({ address: '/pl.json' })
  expect(tries).toBe(3)
})

it('reads ten at once and no more, and everything in the end', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const reader = createTextReader({
    read: async (address) => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
      return address
    },
  })
  const addresses = Array.from({ length: 25 }, (_, index) => `/${index}`)
  const all = Promise.all(addresses.map((address) => reader(address)))
  let isDone = false
  void all.then(() => (isDone = true))
  while (!isDone) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await all).toEqual(addresses)
  expect(most).toBe(10)
})

it('frees its place after a failure', async () => {
  const reader = createTextReader({
    parallel: 1,
    retries: 0,
    read: (address) => (address === '/bad' ? Promise.reject(new Error('bad')) : Promise.resolve(address)),
  })
  const [bad, good] = await Promise.allSettled([reader('/bad'), reader('/good')])
  expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled'])
})
