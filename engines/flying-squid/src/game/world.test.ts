/** The world on disk, with the library's real columns and region files. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFlatGenerator } from './flat-world.ts'
import { anvilClass, type Column, type Registry, type World } from './library.ts'
import { keepWorld } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const require = createRequire(import.meta.url)
const registry = require('prismarine-registry')('1.21.4') as Registry
const WorldClass = require('prismarine-world')(registry) as new (
  generator: unknown,
  provider: unknown,
) => World & {
  setBlockStateId(position: unknown, stateId: number): Promise<void>
}
const { Vec3 } = require('vec3') as { Vec3: new (x: number, y: number, z: number) => object }
const highestState = Math.max(...Object.values(registry.blocksByName).map(({ maxStateId }) => maxStateId))

let folder: string
const reports: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wakestone-world-'))
  reports.length = 0
})
afterEach(async () => {
  await closeWorlds()
  rmSync(folder, { recursive: true, force: true })
})

const opened: World[] = []

async function closeWorlds(): Promise<void> {
  for (const world of opened.splice(0))
    for (const region of Object.values(world.storageProvider!.regions)) await region.file.close()
}

function openWorld() {
  const world = new WorldClass(createFlatGenerator({ registry }), new (anvilClass(registry))(folder))
  opened.push(world)
  return { world, store: keepWorld(world, (message) => reports.push(message)) }
}

function statesOf(column: Column): number[] {
  const states: number[] = []
  for (let y = -64; y < 320; y += 1)
    for (let at = 0; at < 256; at += 1) states.push(column.getBlockStateId({ x: at & 15, y, z: at >> 4 }))
  return states
}

test('every state of every block comes back', async () => {
  const { world, store } = openWorld()
  for (let stateId = 0; stateId <= highestState; stateId += 1) {
    await world.setBlockStateId(new Vec3(stateId & 15, (stateId >> 8) - 64, (stateId >> 4) & 15), stateId)
  }
  const before = statesOf(await world.getColumn(0, 0))
  expect(await store.save()).toEqual({ columns: 1, failed: 0 })
  expect(statesOf(await openWorld().world.getColumn(0, 0))).toEqual(before)
  expect(reports).toEqual([])
})

test('whatever is built, before and after a reload, comes back', async () => {
  const block = fc.tuple(
    fc.integer({ min: 0, max: 31 }),
    fc.integer({ min: -64, max: 319 }),
    fc.integer({ min: -16, max: 15 }),
    fc.integer({ min: 0, max: highestState }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(block, { maxLength: 300 }), { maxLength: 3 }), async (sessions) => {
      await closeWorlds()
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      const built = new Map<string, number>()
      for (const blocks of sessions) {
        const { world, store } = openWorld()
        const writes = blocks.map(([x, y, z, stateId], index) => {
          built.set(`${x} ${y} ${z}`, stateId)
          // Saving goes on while people build.
          if (index % 50 === 25) void store.save()
          return world.setBlockStateId(new Vec3(x, y, z), stateId)
        })
        await Promise.all(writes)
        store.unloadUnseen([])
        await store.save()
        store.unloadUnseen([])
        expect(Object.keys(world.columns)).toEqual([])
      }
      const { world } = openWorld()
      for (const [place, stateId] of built) {
        const [x, y, z] = place.split(' ').map(Number) as [number, number, number]
        const column = await world.getColumn(x >> 4, z >> 4)
        expect(column.getBlockStateId({ x: x & 15, y, z: z & 15 })).toBe(stateId)
      }
    }),
    { numRuns: 25 },
  )
  expect(reports).toEqual([])
})

test('a failed write is told, and tried again', async () => {
  const { world, store } = openWorld()
  await world.setBlockStateId(new Vec3(1, 1, 1), 1)
  const provider = world.storageProvider!
  const { save } = provider
  provider.save = async () => {
    throw new Error('no space left')
  }
  expect(await store.save()).toEqual({ columns: 0, failed: 1 })
  expect(reports).toEqual(['Column 0 0 could not be saved: no space left'])
  provider.save = save
  expect(await store.save()).toEqual({ columns: 1, failed: 0 })
  expect((await openWorld().world.getColumn(0, 0)).getBlockStateId({ x: 1, y: 1, z: 1 })).toBe(1)
})

test('a column that cannot be read is not written over', async () => {
  const first = openWorld()
  await first.world.setBlockStateId(new Vec3(1, 1, 1), 1)
  await first.store.save()

  const second = openWorld()
  second.world.storageProvider!.load = async () => {
    throw new Error('wrong length')
  }
  await second.world.setBlockStateId(new Vec3(1, 2, 1), 1)
  expect(await second.store.save()).toEqual({ columns: 0, failed: 0 })
  expect(reports).toEqual(['Column 0 0 cannot be read and is left as it is: wrong length'])

  const column = await openWorld().world.getColumn(0, 0)
  expect(column.getBlockStateId({ x: 1, y: 1, z: 1 })).toBe(1)
})
