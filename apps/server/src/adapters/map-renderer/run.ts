/** Runs the map renderer in a box beside a server: it sees the worlds, and can write nothing but tiles. */
import { join, resolve } from 'node:path'
import { type MapLayer, type MapLine, mapLineSchema } from '@wakestone/protocol/map-render'
import type { Settings } from '@wakestone/kit/settings'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'

/** Built at set-up: the program, and what it needs that is no JavaScript. */
const program = resolve(import.meta.dirname, '../../../../map-renderer/build')
const tool = '/opt/wakestone/tools/map-renderer'
const store = '/mnt/maps'
const threads = 2
/** Measured with 2 threads: 300 MB. */
const memoryBytes = 768 * 1024 ** 2
/** A world of 100 GB takes half of that; whoever makes it take longer wants something else. */
const mostMilliseconds = 4 * 3_600_000
const mostSaid = 20

export type MapFault = 'memory' | 'time' | 'program'
/** Why a map was not drawn to its end. */
export class MapNotDrawn extends Error {
  readonly fault: MapFault
  constructor(fault: MapFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Folder of all maps, and that of a server, which its box writes. */
export const mapsFolder = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>) => join(resolve(DATA_DIR), 'maps')
export const mapFolder = (settings: Pick<Settings, 'DATA_DIR'>, serverId: string) =>
  join(mapsFolder(settings), serverId)

/**
 * Brings the tiles of a server up to date. What it tells is checked, and what is no line of its own is passed over.
 * @returns how it has ended. @throws MapNotDrawn, or Error where no box can be started.
 */
export async function renderMap(
  { cluster, settings }: { cluster: Pick<Cluster, 'runTask'>; settings: Pick<Settings, 'DATA_DIR'> },
  serverId: string,
  { layers, onLine, signal }: { layers: readonly MapLayer[]; onLine: (line: MapLine) => void; signal: AbortSignal },
): Promise<Extract<MapLine, { kind: 'end' }>> {
  signal.throwIfAborted()
  const run = await cluster.runTask(serverId, {
    name: 'map',
    command: [
      '/opt/wakestone/bin/node',
      `${tool}/map-renderer.mjs`,
      '/data',
      store,
      JSON.stringify({ layers, threads }),
    ],
    volume: 'read',
    tools: { 'map-renderer': program },
    folders: { maps: { host: mapFolder(settings, serverId), write: true } },
    // Memory that threads have let go goes back sooner.
    env: { MALLOC_ARENA_MAX: '2' },
    network: 'none',
    memoryBytes,
  })
  const patience = AbortSignal.any([signal, AbortSignal.timeout(mostMilliseconds)])
  const cancel = () => run.cancel()
  patience.addEventListener('abort', cancel)
  if (patience.aborted) cancel()
  let end: Extract<MapLine, { kind: 'end' }> | undefined
  const said: string[] = []
  try {
    for await (const { stream, text } of run.lines) {
      const line = stream === 'out' ? parseLine(text) : undefined
      if (line?.kind === 'end') end = line
      if (line !== undefined) onLine(line)
      else if (said.push(text.slice(0, 300)) > mostSaid) said.shift()
    }
  } finally {
    patience.removeEventListener('abort', cancel)
  }
  const { code, signal: ended, outOfMemory } = await run.exit
  signal.throwIfAborted()
  if (code === 0 && end !== undefined) return end
  const fault = outOfMemory ? 'memory' : patience.aborted ? 'time' : 'program'
  throw new MapNotDrawn(fault, `the map renderer ended with ${ended ?? code}: ${said.join(' · ')}`)
}

function parseLine(text: string): MapLine | undefined {
  try {
    return mapLineSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
