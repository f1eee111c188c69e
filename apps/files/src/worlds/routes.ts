/** The routes of `@wakestone/protocol/worlds`. */
import type { LevelChange } from '@wakestone/minecraft/worlds/level-change'
import { dimensionFolders } from '@wakestone/minecraft/worlds/layout'
import type { World, WorldList } from '@wakestone/protocol/worlds'
import { parseRegionName } from '@wakestone/minecraft/region'
import { pruneTicks, type ScanLine, worldEditions } from '@wakestone/protocol/world-values'
import { type Body, invalid, readBody, takeOption, takePath, takePaths } from '../body.ts'
import { type Handler, type Parts, sendJson } from '../handler.ts'
import { sendLines } from '../lines.ts'
import { makeId, openOwn, openOwnPath } from '../own.ts'
import { lookAt } from '../placing.ts'
import { doom, removeDoomed } from '../remove.ts'
import { startTool } from '../tool.ts'
import type { Volume } from '../volume.ts'
import type { PrunedRegion, StagedFile } from './order.ts'
import { askWorlds, askWorldsOnce } from './run.ts'

const LONGEST_MS = 20_000
const STAGE = ['.transfers', 'stage']
/** What counting the sizes of folders may say. */
const MOST_SIZES = 4 * 1024 * 1024
const DEPTH = 4

export function createWorldRoutes(
  { volume, trash }: Parts,
  few: (handler: Handler) => Handler,
): Record<string, Handler> {
  return {
    'GET /v1/worlds': few(async ({ response, query }) => {
      const edition = takeOption({ edition: query.get('edition') ?? 'java' }, 'edition', worldEditions)
      const order = { kind: 'list', root: volume.root, edition } as const
      const list = await askWorldsOnce<WorldList>(order, AbortSignal.timeout(LONGEST_MS))
      sendJson(response, 200, { ...list, worlds: await withSizes(volume, list.worlds) })
    }),

    'POST /v1/worlds/edit': few(async ({ request, response }) => {
      const body = await readBody(request)
      const folder = takePath(body, 'folder')
      const change = takeChange(body)
      using all = openOwnPath(volume.top, STAGE)
      const id = makeId()
      openOwn(all, id)[Symbol.dispose]()
      const stage = [...STAGE, id].join('/')
      try {
        const order = { kind: 'edit', root: volume.root, folder, change, stage } as const
        const { files } = await askWorldsOnce<{ files: StagedFile[] }>(order, AbortSignal.timeout(LONGEST_MS))
        const steps = files.map(({ name, path }) => ({ from: `${stage}/${name}`, to: path }))
        if (steps.length > 0)
          await trash.exchange(
            files.map(({ path }) => ({ path })),
            steps,
          )
        sendJson(response, 200, { paths: files.map(({ path }) => path) })
      } finally {
        await removeDoomed(volume, doom(volume, all, id))
      }
    }),

    'GET /v1/worlds/scan': few(async ({ response, query }) => {
      const ticks = Number(query.get('ticks') ?? NaN)
      if (!Number.isInteger(ticks) || ticks < 0 || ticks > pruneTicks) throw invalid('ticks')
      const folders = query.getAll('folder').map((folder) => takePath({ folder }, 'folder'))
      const abort = new AbortController()
      response.on('close', () => abort.abort())
      await sendLines(response, async (lines) => {
        const sum: ScanLine = { done: 0, total: 0, chunks: 0, unused: 0, bytes: 0, damaged: 0, region: null }
        for (const folder of folders) {
          const before = sum.total
          const order = { kind: 'prune', root: volume.root, folder, ticks, stage: null } as const
          for await (const line of askWorlds(order, abort.signal)) {
            const { name, regions, chunks, unused, bytes, isDamaged } = line as PrunedRegion
            const place = parseRegionName(name)
            sum.region = place && { folder, x: place.x, z: place.z, chunks, unused }
            sum.done++
            sum.total = before + regions
            sum.chunks += chunks
            sum.unused += unused
            sum.bytes += bytes
            sum.damaged += Number(isDamaged)
            lines.add(sum)
            lines.flush()
          }
        }
        sum.region = null
        lines.add(sum)
        return undefined
      })
    }),

    async 'POST /v1/worlds/remove'({ request, response }) {
      const paths = takePaths(await readBody(request), 'paths').filter((path) => isThere(volume, path))
      if (paths.length > 0) await trash.put(paths)
      response.writeHead(204).end()
    },
  }
}

/** By its shape alone: what the world does not say is refused by who reads it. */
function takeChange(body: Body): LevelChange {
  const { change } = body
  if (typeof change !== 'object' || change === null || Array.isArray(change)) throw invalid('change')
  return change as LevelChange
}

function isThere(volume: Volume, path: string): boolean {
  try {
    using place = volume.find(path, 'write')
    return place.name !== '.' && lookAt(place.folder, place.name) !== undefined
  } catch {
    return false
  }
}

/** Bytes on the disk, of each world and of what each of its dimensions is made of. */
async function withSizes(volume: Volume, worlds: World[]): Promise<World[]> {
  const sizes = await measureFolders(
    volume,
    worlds.flatMap(({ folder, parts }) => [folder, ...parts]),
  )
  const sum = (paths: string[]) => paths.reduce((bytes, path) => bytes + (sizes.get(path) ?? 0), 0)
  return worlds.map((world) => ({
    ...world,
    bytes: sizes.has(world.folder) ? sum([world.folder, ...world.parts]) : null,
    dimensions: world.dimensions.map((dimension) => ({
      ...dimension,
      bytes: sizes.has(world.folder) ? sum(dimensionFolders.map((name) => `${dimension.folder}/${name}`)) : null,
    })),
  }))
}

async function measureFolders(volume: Volume, folders: string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  if (folders.length === 0) return sizes
  const parameters = ['-0kx', `--max-depth=${DEPTH}`, '--', ...folders.map((folder) => `./${folder}`)]
  const tool = startTool('du', parameters, {
    cwd: `/proc/self/fd/${volume.top.fd}`,
    nice: 10,
    signal: AbortSignal.timeout(LONGEST_MS),
  })
  let text = ''
  for await (const chunk of tool.out.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > MOST_SIZES) tool.end()
  }
  await tool.ended
  for (const line of text.split('\0')) {
    const [, kibibytes, path] = /^(\d+)\t\.\/([^]+)$/.exec(line) ?? []
    if (path !== undefined) sizes.set(path, Number(kibibytes) * 1024)
  }
  return sizes
}
