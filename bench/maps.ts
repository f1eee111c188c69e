/**
 * Measures the map renderer on regions full of real chunks: how many chunks of 54 kB a processor reads and draws in a
 * second, alone and with everything that makes tiles of it, and the first map of a world of 1 GB.
 */
import { spawn } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createRegionDrawer } from '../apps/map-renderer/src/draw-region.ts'
import { createLooks } from '../apps/map-renderer/src/looks.ts'
import { clearSurface, createSurface, createSurveyor } from '../apps/map-renderer/src/surface.ts'
import { findRegion } from '../apps/map-renderer/src/test-support/region-picture.ts'
import { createChunkReader } from '../packages/minecraft/src/chunk.ts'
import { openRegion } from '../packages/minecraft/src/region-file.ts'
import { REGION_CHUNKS, readChunkRecord, readRegionHead, writeRegion } from '../packages/minecraft/src/region.ts'
import { mapLayers } from '../packages/protocol/src/map-render.ts'
import { reportFigure } from './fixtures/figure.ts'

const CHUNK_BYTES = 54_000
const WORLD_BYTES = 1024 ** 3
const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'maps-bench-'))
try {
  const path = join(folder, 'region')
  mkdirSync(path)
  writeFileSync(join(path, 'r.0.0.mca'), fillRegion(['1.14.4', '1.16', '1.9', '1.12.2']))
  measureReading(path)
  await measureDrawing(path)
  await measureWorld(path)
} finally {
  rmSync(folder, { recursive: true })
}

/** A whole region of real chunks, each of which is there many times. */
function fillRegion(versions: string[]): Buffer {
  const records = versions.flatMap((version) => {
    const { folder: from, file } = findRegion(version)
    const bytes = readFileSync(join(from, file))
    return readRegionHead(bytes.subarray(0, 8192), bytes.length).chunks.map(({ offset, room }) =>
      readChunkRecord(bytes.subarray(offset, offset + room)),
    )
  })
  const indexes = Array.from({ length: REGION_CHUNKS }, (_, index) => index)
  return writeRegion(indexes.map((index) => ({ index, timestamp: 1, record: records[index % records.length]! })))
}

function processorSeconds(since?: NodeJS.CpuUsage) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

function measureReading(path: string) {
  const looks = createLooks()
  const chunk = createChunkReader(looks)
  const surface = createSurface()
  const surveyor = createSurveyor(chunk, looks, { hasRoof: false })
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    clearSurface(surface)
    using region = openRegion(join(path, 'r.0.0.mca'), { x: 0, z: 0 })
    const began = process.cpuUsage()
    let bytes = 0
    for (const place of region.chunks) {
      const nbt = region.readChunk(place)
      bytes += nbt.length
      if (chunk.read(nbt)) surveyor.survey(surface, place.index)
    }
    best = Math.max(best, bytes / CHUNK_BYTES / processorSeconds(began))
  }
  const name = 'map: chunks of 54 kB read and drawn per processor second'
  reportFigure(name, Math.round(best), 'chunks', { atLeast: 4000 })
}

async function measureDrawing(path: string) {
  const draw = createRegionDrawer()
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.cpuUsage()
    const { chunks } = await draw({
      path,
      folder: join(folder, 'tiles'),
      x: 0,
      z: 0,
      hasRoof: false,
      layers: mapLayers,
    })
    best = Math.max(best, chunks / processorSeconds(began))
  }
  reportFigure('map: chunks per processor second, with tiles of four layers', Math.round(best), 'chunks')
}

async function measureWorld(path: string) {
  const volume = join(folder, 'data')
  const store = join(folder, 'maps')
  const regions = join(volume, 'world/region')
  mkdirSync(regions, { recursive: true })
  mkdirSync(store)
  const source = join(path, 'r.0.0.mca')
  const count = Math.ceil(WORLD_BYTES / statSync(source).size)
  for (let index = 0; index < count; index++)
    linkSync(source, join(regions, `r.${index % 12}.${Math.floor(index / 12)}.mca`))
  const began = performance.now()
  const program = join(import.meta.dirname, '../apps/map-renderer/build/map-renderer.mjs')
  const child = spawn(process.execPath, [program, volume, store, JSON.stringify({ layers: mapLayers, threads: 2 })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let resident = 0
  const watching = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    resident = Math.max(resident, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 500)
  const out = await text(child.stdout)
  clearInterval(watching)
  const end = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as { kind?: string; regions?: number; bytes?: number }
  const seconds = end.kind === 'end' && end.regions === count ? (performance.now() - began) / 1000 : Infinity
  reportFigure('map: first map of a world of 1 GB', Math.round(seconds), 's', { atMost: 300 })
  reportFigure('map: memory of the renderer meanwhile', Math.round(resident), 'MB', { atMost: 400 })
  reportFigure('map: its tiles', Math.round((end.bytes ?? 0) / 1024 ** 2), 'MB')
}
