/** Longer work on worlds: made aside, then placed by renaming. What is replaced goes into the trash. */
import type { JobRequest } from '@wakestone/protocol/files'
import { copyTree, measure } from '../copy.ts'
import { FileError } from '../errors.ts'
import { joinPath, makeFolders, nameOf } from '../folders.ts'
import type { Context, Planned } from '../jobs.ts'
import { openArchive } from '../archive-file.ts'
import { openOwn } from '../own.ts'
import { lookAt, placeAll, type Step } from '../placing.ts'
import { doom, removeDoomed } from '../remove.ts'
import type { Trash } from '../trash.ts'
import { unpackAside } from '../unpack.ts'
import { type Folder, openFolderIn, type Volume } from '../volume.ts'
import type { PrunedRegion, WorldInArchive } from './order.ts'
import { askWorlds, askWorldsOnce } from './run.ts'

type WorldJob = Extract<JobRequest, { kind: `world-${string}` }>

/** What tells a world from others: two that have the same are refused by Bukkit. The lock is the game's that has it open. */
const OWN_FILES = ['uid.dat', 'session.lock']

export function planWorldJob(volume: Volume, trash: Trash, job: WorldJob): Planned {
  switch (job.kind) {
    case 'world-copy':
      return planCopyWorld(volume, job)
    case 'world-import':
      return planImport(volume, job)
    case 'world-prune':
      return planPrune(volume, trash, job)
  }
}

function planCopyWorld(volume: Volume, { folders, names }: { folders: string[]; names: string[] }): Planned {
  if (folders.length !== names.length) throw new FileError('invalid_request', { names: 'invalid' })
  for (const path of folders) requireFolder(volume, path)
  const targets = names.map((name, index) => joinPath(above(folders[index]!), name))
  for (const path of targets) requireFree(volume, path)
  return {
    paths: folders,
    to: targets[0]!,
    async work(context) {
      const { total, bytes } = await measure(context, folders)
      context.progress.total = total
      context.progress.bytesTotal = bytes
      await context.reserve(bytes)
      using stage = context.openStage()
      for (const [index, path] of folders.entries()) {
        using place = volume.find(path, 'read')
        const name = String(index)
        await copyTree(context, { folder: place.folder, name: place.name, path }, { folder: stage, name })
        await dropOwnFiles(volume, stage, name)
      }
      const steps = targets.map((to, index) => ({ from: `${context.stagePath}/${index}`, to }))
      return async () => void (await placeAll(volume, steps, 'fail'))
    },
  }
}

function planImport(volume: Volume, { path, to, edition }: Extract<WorldJob, { kind: 'world-import' }>): Planned {
  openArchive(volume, path)[Symbol.dispose]()
  requireFree(volume, to)
  return {
    paths: [path],
    to,
    async work(context) {
      await unpackAside(context, volume, { path, entries: undefined })
      const within = `${context.stagePath}/out`
      const order = { kind: 'find', root: volume.root, within, edition } as const
      const found = await askWorldsOnce<WorldInArchive>(order, context.signal)
      const all = [{ folder: found.folder, end: '' }, ...found.parts]
      for (const { folder } of all) {
        using place = volume.find(folder, 'own')
        await dropOwnFiles(volume, place.folder, place.name)
      }
      const steps = all.map(({ folder, end }) => ({ from: folder, to: to + end }))
      return async () => {
        makeFolders(volume, above(to))
        await placeAll(volume, steps, 'fail')
      }
    },
  }
}

function planPrune(volume: Volume, trash: Trash, { folders, ticks }: { folders: string[]; ticks: number }): Planned {
  for (const path of folders) requireFolder(volume, path)
  return {
    paths: folders,
    async work(context) {
      using stage = context.openStage()
      const gone = new Map<string, string[]>()
      const steps: Step[] = []
      for (const [index, folder] of folders.entries()) {
        const name = String(index)
        openOwn(stage, name)[Symbol.dispose]()
        const own = `${context.stagePath}/${name}`
        const order = { kind: 'prune', root: volume.root, folder, ticks, stage: own } as const
        for await (const line of askWorlds(order, context.signal)) {
          await takeRegion(context, line as PrunedRegion, { folder, own, gone, steps })
        }
      }
      return async () => {
        if (gone.size === 0) return
        await trash.exchange(
          [...gone].map(([path, names]) => ({ path, names })),
          steps,
        )
      }
    },
  }
}

async function takeRegion(
  context: Context,
  region: PrunedRegion,
  { folder, own, gone, steps }: { folder: string; own: string; gone: Map<string, string[]>; steps: Step[] },
): Promise<void> {
  const { progress } = context
  progress.total = Math.max(progress.total ?? 0, region.regions)
  progress.done++
  progress.bytes += region.bytes
  progress.item = folder
  for (const { kind, name, staged, written } of region.files) {
    const path = `${folder}/${kind}`
    const names = gone.get(path) ?? []
    names.push(name)
    gone.set(path, names)
    if (staged === null) continue
    await context.reserve(written)
    context.wrote(written)
    steps.push({ from: `${own}/${staged}`, to: `${path}/${name}` })
  }
  await context.turn()
}

const above = (path: string) => path.slice(0, Math.max(0, path.length - nameOf(path).length - 1))

function requireFolder(volume: Volume, path: string): void {
  using place = volume.find(path, 'write')
  if (place.name === '.' || lookAt(place.folder, place.name)?.isDirectory() !== true)
    throw new FileError('file_does_not_exist', { path })
}

function requireFree(volume: Volume, path: string): void {
  let isTaken: boolean
  try {
    using place = volume.find(path, 'write')
    isTaken = place.name === '.' || lookAt(place.folder, place.name) !== undefined
  } catch (error) {
    // Nor is the folder above it there.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return
  }
  if (isTaken) throw new FileError('resource_already_exists', { path })
}

async function dropOwnFiles(volume: Volume, folder: Folder, name: string): Promise<void> {
  using world = openFolderIn(folder, name)
  for (const file of OWN_FILES) if (lookAt(world, file)) await removeDoomed(volume, doom(volume, world, file))
}
