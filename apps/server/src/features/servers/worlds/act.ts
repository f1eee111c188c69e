/**
 * Does what is to be done with a world, through the files service, and takes it back. A worker may be killed at any line: all
 * of this may be begun again, and finds what was done before.
 */
import { DomainError } from '@wakestone/contract/errors'
import { dimensionFolders } from '@wakestone/minecraft/worlds/layout'
import type { Job, JobRequest } from '@wakestone/protocol/files'
import type { FilesClient } from '#src/adapters/files/client.ts'
import { readCode, readFields } from '#src/adapters/files/errors.ts'
import { withHeldWorld } from '#src/features/servers/backups/service.ts'
import type { Step } from '#src/features/servers/operations/service.ts'
import { readServerProperties, writeServerProperties } from './properties.ts'
import type { WorldAct, WorldInput, WorldNotes } from './wish.ts'

export type WorldStep = Step<WorldInput, WorldNotes>

const lookMilliseconds = 300
const spareMilliseconds = 2_000

export async function perform(step: WorldStep, files: FilesClient): Promise<void> {
  const { act } = step.input
  if (step.notes.begun === undefined) await step.note({ begun: new Date(Date.now() - spareMilliseconds).toISOString() })
  switch (act.action) {
    case 'edit':
      await files.editWorld(act.folder, act.change)
      await setProperties(step, files, act.properties)
      return noteTrashed(step, files)
    case 'rename':
      for (const move of act.moves) await rename(files, move)
      return setProperties(step, files, act.properties)
    case 'switch':
    case 'create':
      return setProperties(step, files, act.properties)
    case 'delete':
      await files.removeWorlds(act.paths)
      return noteTrashed(step, files)
    case 'reset':
      await files.removeWorlds(act.paths)
      for (const folder of act.levels) await forgetDragon(files, folder)
      return noteTrashed(step, files)
    case 'prune':
      await runJob(step, files, { kind: 'world-prune', folders: act.folders, ticks: act.ticks })
      return noteTrashed(step, files)
    case 'duplicate': {
      const copy = () => runJob(step, files, { kind: 'world-copy', folders: act.folders, names: act.names }, act.target)
      await (act.isHeld ? withHeldWorld(step as unknown as Step<never, never>, copy) : copy())
      return
    }
    case 'import': {
      const { path, target: to, edition } = act
      await runJob(step, files, { kind: 'world-import', path, to, edition }, to)
      if (act.removesArchive) await ignoring('file_does_not_exist', () => files.delete([path]))
    }
  }
}

/** Nothing where nothing was done. */
export async function takeBack(step: WorldStep, files: FilesClient): Promise<void> {
  const { act } = step.input
  const { notes } = step
  if (notes.begun === undefined) return
  if (notes.job != null) await ignoring('file_job_not_found', () => files.cancelJob(notes.job!))
  switch (act.action) {
    case 'rename':
      for (const { from, to } of act.moves.toReversed())
        await ignoring('file_does_not_exist', () => rename(files, { from: to, to: from }))
      break
    case 'edit':
    case 'prune':
      await restoreTrashed(step, files, { removesFirst: false })
      break
    case 'delete':
    case 'reset':
      await restoreTrashed(step, files, { removesFirst: true })
      break
    case 'duplicate':
    case 'import':
      if (notes.isPlaced === true) await files.removeWorlds([act.target])
      break
    case 'switch':
    case 'create':
  }
  if (notes.properties !== undefined) await writeServerProperties(files, notes.properties)
}

async function ignoring<Result>(code: DomainError['code'], work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError && error.code === code) return undefined
    throw error
  }
}

async function setProperties(step: WorldStep, files: FilesClient, values: Record<string, string>): Promise<void> {
  if (Object.keys(values).length === 0) return
  // Noted before anything is written: what a second try finds is no longer what was there.
  if (step.notes.properties === undefined)
    await step.note({ properties: await readServerProperties(files, Object.keys(values)) })
  await writeServerProperties(files, values)
}

/** Done before: it is there under its new name, and not under the old one. */
async function rename(files: FilesClient, { from, to }: { from: string; to: string }): Promise<void> {
  try {
    await files.rename(from, to, 'fail')
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'file_does_not_exist'
    if (!isGone || !(await isThere(files, to))) throw error
  }
}

export async function isThere(files: FilesClient, path: string): Promise<boolean> {
  return (await ignoring('file_does_not_exist', () => files.stat(path))) !== undefined
}

/** A dimension of a world without `level.dat` has no dragon that was killed. */
async function forgetDragon(files: FilesClient, folder: string): Promise<void> {
  await ignoring('file_does_not_exist', () => files.editWorld(folder, { forgetsDragon: true }))
}

/** Paths that an act may put into the trash. */
function pathsOf(act: WorldAct): ReadonlySet<string> {
  switch (act.action) {
    case 'delete':
      return new Set(act.paths)
    case 'reset':
      return new Set([...act.paths, ...act.levels.map((folder) => `${folder}/level.dat`)])
    case 'prune':
      return new Set(act.folders.flatMap((folder) => dimensionFolders.map((name) => `${folder}/${name}`)))
    default:
      return new Set()
  }
}

/** Whether something that was put into the trash since is of this act. */
function isOf(act: WorldAct, path: string): boolean {
  if (act.action === 'edit')
    return path === `${act.folder}/level.dat` || (path.startsWith(`${act.folder}/`) && path.endsWith('.dat'))
  return pathsOf(act).has(path)
}

/** Keeps what has come into the trash by this; what is there already stays known, since the game makes things anew. */
async function noteTrashed(step: WorldStep, files: FilesClient): Promise<void> {
  if (step.notes.trashed !== undefined) return
  const since = Date.parse(step.notes.begun!)
  const { entries } = await files.trash()
  const own = entries.filter(({ path, deletedAt }) => Date.parse(deletedAt) >= since && isOf(step.input.act, path))
  await step.note({ trashed: own.map(({ id }) => id) })
}

async function restoreTrashed(
  step: WorldStep,
  files: FilesClient,
  { removesFirst }: { removesFirst: boolean },
): Promise<void> {
  await noteTrashed(step, files)
  const wanted = new Set(step.notes.trashed)
  const { entries } = await files.trash()
  // The oldest of a path is what it was before all of this. What is not there any more was restored before.
  const own = new Map(entries.filter(({ id }) => wanted.has(id)).map((entry) => [entry.path, entry]))
  for (const { id, path } of own.values()) {
    if (removesFirst) await files.removeWorlds([path])
    await files.restoreTrash([id], 'replace')
  }
}

/**
 * Has the files service do something that takes longer, and waits for it: also for what a worker before has begun.
 * @param target what is there once it is done; nothing: it may be done again
 */
async function runJob(step: WorldStep, files: FilesClient, request: JobRequest, target?: string): Promise<void> {
  for (;;) {
    if (step.notes.isPlaced === true) return
    if (step.notes.job == null) {
      const { id } = await files.createJob(request)
      await step.note({ job: id })
    }
    const job = await ignoring('file_job_not_found', () => files.job(step.notes.job!))
    if (job === undefined) {
      // The service has been killed: all of it is there, or nothing.
      if (target !== undefined && (await isThere(files, target))) return step.note({ isPlaced: true, job: null })
      await step.note({ job: null })
      continue
    }
    if (job.state === 'done') return step.note({ isPlaced: true, job: null })
    if (job.state === 'failed') throw refusalOf(job)
    if (job.state === 'cancelled') throw new Error('somebody else has cancelled it')
    report(step, job)
    await step.pause(lookMilliseconds)
  }
}

function refusalOf({ error }: Job): DomainError {
  const reason = error?.fields?.['reason']
  if (reason === 'no_world' || reason === 'several_worlds')
    return new DomainError('world_not_in_archive', { resource: 'file', reason })
  return new DomainError(readCode(error?.code) ?? 'service_unavailable', {
    resource: 'file',
    ...readFields(error?.fields),
  })
}

function report(step: WorldStep, { done, total, bytes, bytesTotal, item }: Job): void {
  const share = bytesTotal ? bytes / bytesTotal : total ? done / total : 0
  const figures = bytesTotal
    ? { bytes_done: bytes, bytes_total: bytesTotal, bytes_per_second: null, seconds_left: null }
    : null
  step.report(Math.min(0.99, share), item, figures)
}
