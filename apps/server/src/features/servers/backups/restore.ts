/** Puts files of a backup in their place: staged beside what is there, and swapped for it where room allows. */
import { DomainError } from '@wakestone/contract/errors'
import * as restic from '#src/adapters/restic/restic.ts'
import * as volume from '#src/adapters/restic/volume.ts'
import type { Product } from '@wakestone/contract/sales/product'
import { warnBefore, type WarnedInput, type WarningNotes } from '#src/features/servers/countdown/service.ts'
import { forgetDump, loadMysql, undoLoad } from '#src/features/servers/mysql/service.ts'
import { type Step, untilDown, untilInstalled } from '#src/features/servers/operations/service.ts'
import { findServer, findSetup, type Setup, writeSetup } from '#src/features/servers/servers/service.ts'
import { backUp, createReporter, discardBackup, verifyBackup } from './back-up.ts'
import * as repo from './repo.ts'
import { explaining, requireRepository, resticOf, unlocked } from './repository.ts'

export type RestoreInput = WarnedInput & {
  backupId: string
  snapshot: string
  /** Null: everything. */
  paths: string[] | null
  /** Bytes that it takes. */
  bytes: number
  safety: boolean
}
export type RestoreNotes = WarningNotes & {
  /** What was there before, as a backup; null: there is none. */
  safety: string | null
  /** There is no room beside what is there. */
  inPlace: boolean
  /** Files have been replaced, or are being so. */
  touched: boolean
  before: Setup
}
type RestoreStep = Step<RestoreInput, RestoreNotes>

/** Beyond the files themselves: folders, and what the game writes meanwhile. */
const spareBytes = 64 * 1024 ** 2
const folderOf = ({ operationId }: RestoreStep) => `.transfers/restore/${operationId}`
const asPlain = (step: RestoreStep) => step as unknown as Step<never, never>

async function accessOf(step: RestoreStep): Promise<restic.Repository> {
  return unlocked(step.deps, await requireRepository(step.deps, step.serverId))
}

/** Backs up what is there now, which is the way back for a week. */
export const safety = {
  weight: 25,
  async run(step: RestoreStep) {
    if (!step.input.safety) return
    const wish = { kind: 'safety', cause: 'restore', name: null, pinned: false, skipsUnchanged: false } as const
    const backup = await backUp(asPlain(step), wish)
    await verifyBackup(asPlain(step))
    await step.note({ safety: backup?.id ?? null })
  },
  async undo(step: RestoreStep) {
    // What was replaced is back by now: this copy is for nothing.
    await discardBackup(asPlain(step))
  },
}

export const fetch = {
  weight: 35,
  async run(step: RestoreStep) {
    const { snapshot, paths, bytes } = step.input
    if (step.notes.inPlace === undefined) await step.note({ inPlace: !(await hasRoom(step, bytes)) })
    if (step.notes.inPlace === true) {
      // What is written over what is there can be taken back by the safety backup alone.
      if (paths !== null || !step.input.safety) throw new DomainError('insufficient_storage', { used: bytes })
      return
    }
    const access = await accessOf(step)
    await explaining(() =>
      restic.restoreSnapshot(resticOf(step.deps), access, {
        snapshot,
        target: `${folderOf(step)}/staged`,
        paths,
        onProgress: createReporter(step),
        signal: step.signal,
      }),
    )
  },
  async undo(step: RestoreStep) {
    await removeStaged(step)
  },
}

/** Room on the file system, and in the plan where nothing but the plan limits it. */
async function hasRoom(step: RestoreStep, bytes: number): Promise<boolean> {
  const server = await findServer(step.deps.db, step.serverId)
  if (server === undefined) throw new DomainError('server_id_not_found')
  const ofPlan = (server.limits as Product['parameters']).storage - Number(server.disk_bytes ?? 0)
  const room = await volume.findRoom(resticOf(step.deps), step)
  return Math.min(room, ofPlan) > bytes * 1.02 + spareBytes
}

export const replace = {
  weight: 10,
  async run(step: RestoreStep) {
    const { snapshot, paths } = step.input
    if (step.notes.before === undefined) await step.note({ before: await findSetup(step.deps.db, step.serverId) })
    await step.note({ touched: true })
    if (step.notes.inPlace !== true) {
      const folder = folderOf(step)
      await volume.replaceFiles(resticOf(step.deps), step, { folder, paths })
    } else await restoreInPlace(step, snapshot)
    if (paths === null) await loadMysql(step)
  },
  async undo(step: RestoreStep) {
    if (step.notes.touched !== true) return
    if (step.input.paths === null) await undoLoad(step)
    if (step.notes.inPlace !== true) {
      const { paths } = step.input
      await volume.putFilesBack(resticOf(step.deps), step, { folder: folderOf(step), paths })
    } else {
      const { safety: id } = step.notes
      const backup = id == null ? undefined : await repo.findBackup(step.deps.db, step.serverId, id)
      // Nothing else has what was there: without it a restore that is cut off stays as far as it has come.
      if (backup !== undefined) await restoreInPlace(step, backup.snapshot_id)
    }
    await step.note({ touched: false })
  },
}

async function restoreInPlace(step: RestoreStep, snapshot: string): Promise<void> {
  const access = await accessOf(step)
  await explaining(() =>
    restic.restoreSnapshot(resticOf(step.deps), access, {
      snapshot,
      target: '',
      paths: null,
      onProgress: createReporter(step),
      signal: step.signal,
    }),
  )
}

/** Some files, while the game may run: nothing comes after it that could fail. */
export const replaceSome = {
  ...replace,
  async run(step: RestoreStep) {
    await replace.run(step)
    await removeStaged(step)
  },
}

export const warn = warnBefore('restore')

export const stop = { weight: 5, needsDown: true, run: untilDown }

/** The engine that the files belong to. */
export const install = {
  weight: 10,
  needsDown: true,
  async run(step: RestoreStep) {
    const { before } = step.notes
    const backup = await repo.findBackup(step.deps.db, step.serverId, step.input.backupId)
    if (step.input.paths !== null || before === undefined || backup === undefined) return
    const wanted = { engine: backup.engine, version: backup.engine_version, plan: backup.plan } as unknown as Setup
    if (wanted.plan.hash === before.plan.hash) return
    await step.write((trx) => writeSetup(trx, step.serverId, wanted))
    await untilInstalled(step, wanted.plan)
  },
  async undo(step: RestoreStep) {
    const { before } = step.notes
    if (before === undefined || step.input.paths !== null) return
    await step.write((trx) => writeSetup(trx, step.serverId, before))
  },
}

/** Removes what was swapped out: it can be put back by the safety backup from now on. */
export async function removeStaged(step: RestoreStep): Promise<void> {
  await volume.removeFolder(resticOf(step.deps), step, folderOf(step))
  await forgetDump(step)
}
