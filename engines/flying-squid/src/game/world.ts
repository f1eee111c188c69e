/**
 * Keeps the world. The library's own saving loses blocks: what changes while it writes is forgotten, one
 * failed write ends saving for good, and two readers of one column may each get a copy of their own.
 */
import type { Column, Player, SectionData, StorageProvider, World } from './library.ts'

export type WorldStore = {
  /** Writes what changed since the last call. Never throws; what could not be written stays to be written. */
  save(): Promise<{ columns: number; failed: number }>
  /** Drops columns that are on disk and that no player sees. */
  unloadUnseen(players: Player[]): void
}

export function keepWorld(world: World, report: (message: string) => void): WorldStore {
  const provider = world.storageProvider!
  const loading = new Map<string, Promise<Column>>()
  /** On disk, but not readable: shown freshly generated, never written over. */
  const unreadable = new Set<string>()
  let saving: Promise<unknown> = Promise.resolve()

  world.stopSaving()
  world.unloadColumn = () => {}
  world.getColumn = (x, z) => {
    const key = `${x},${z}`
    const loaded = world.columns[key]
    if (loaded) return Promise.resolve(loaded)
    let pending = loading.get(key)
    if (!pending) {
      pending = loadColumn(x, z).finally(() => loading.delete(key))
      loading.set(key, pending)
    }
    return pending
  }

  async function loadColumn(x: number, z: number): Promise<Column> {
    let stored: Column | null = null
    try {
      stored = await provider.load(x, z)
    } catch (error) {
      unreadable.add(`${x},${z}`)
      report(`Column ${x} ${z} cannot be read and is left as it is: ${(error as Error).message}`)
    }
    if (stored) repairColumn(stored)
    world.setLoadedColumn(x, z, stored ?? world.chunkGenerator(x, z), stored === null)
    return world.columns[`${x},${z}`]!
  }

  async function saveChanged(): Promise<{ columns: number; failed: number }> {
    // A block that was set just now may still wait for its column.
    await Promise.allSettled(loading.values())
    await new Promise((resolve) => setImmediate(resolve))
    const changed = [...world.savingQueue].filter(([key]) => !unreadable.has(key))
    const touched = new Set<string>()
    let failed = 0
    world.savingQueue.clear()
    for (const [key, { chunkX, chunkZ }] of changed) {
      const column = world.columns[key]
      if (!column) continue
      const region = provider.regionFileName(chunkX, chunkZ)
      try {
        await provider.save(chunkX, chunkZ, writableColumn(column))
        touched.add(region)
      } catch (error) {
        failed += 1
        world.savingQueue.set(key, { chunkX, chunkZ })
        report(`Column ${chunkX} ${chunkZ} could not be saved: ${(error as Error).message}`)
        await reopenRegion(provider, region)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const region of touched)
      await provider.regions[region]?.file.datasync().catch((error: Error) => report(error.message))
    return { columns: changed.length - failed, failed }
  }

  function save(): Promise<{ columns: number; failed: number }> {
    const next = saving.then(saveChanged)
    saving = next
    return next
  }

  world.saveNow = async () => {
    await save()
  }

  return {
    save,
    unloadUnseen(players) {
      const seen = new Set<string>()
      for (const player of players)
        if (player.world === world) for (const key of Object.keys(player.loadedChunks ?? {})) seen.add(key)
      for (const key of Object.keys(world.columns)) {
        if (!seen.has(key) && !world.savingQueue.has(key)) delete world.columns[key]
      }
    },
  }
}

/** A region's queue stays failed after one failed write: a fresh handle starts a fresh queue. */
async function reopenRegion(provider: StorageProvider, name: string): Promise<void> {
  const region = provider.regions[name]
  delete provider.regions[name]
  await region?.file?.close().catch(() => {})
}

/** What the library's reader leaves wrong: sizes that make later writes to clients too long, a palette over its bound. */
function repairColumn(column: Column): void {
  for (const section of column.sections) {
    const { data } = section
    if (data.data) data.data.capacity = 4096
    data.maxBitsPerBlock = column.maxBitsPerBlock
    if (data.data && data.data.bitsPerValue > 8) {
      section.data = data.convertToDirect!(column.maxBitsPerBlock)
      section.palette = undefined
    }
  }
}

/** The library's writer knows no section of the global palette: such a one is given a palette, in a copy. */
function writableColumn(column: Column): Column {
  if (!column.sections.some((section) => isGlobal(section.data))) return column
  const sections = column.sections.map((section) => (isGlobal(section.data) ? withPalette(section.data) : section))
  return Object.assign(Object.create(column) as Column, { sections })
}

function isGlobal(data: SectionData): boolean {
  return data.palette === undefined && data.value === undefined
}

function withPalette(data: SectionData): { data: SectionData; palette: number[] } {
  const states = Array.from({ length: 4096 }, (_, index) => data.get(index))
  const palette = [...new Set(states)]
  const places = new Map(palette.map((state, place) => [state, place]))
  const Bits = data.data!.constructor as unknown as { fromArray(values: number[], bits: number): SectionData['data'] }
  const bits = Math.max(4, Math.ceil(Math.log2(palette.length)))
  const packed = Bits.fromArray(
    states.map((state) => places.get(state)!),
    bits,
  )
  return { palette, data: { palette, data: packed!, get: (index) => states[index]! } }
}
