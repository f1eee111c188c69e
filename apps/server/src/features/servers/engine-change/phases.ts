/** The phases that changes of the engine, the way back and a format are put together from. */
import { gameVersionOf } from '@wakestone/packager/game-version'
import {
  findSupervisor,
  formatVolume,
  restoreSnapshot,
  type Step,
  takeSnapshot,
  untilDown,
  untilInstalled,
  untilUp,
} from '#src/features/servers/operations/service.ts'
import { backUp, discardBackup, verifyBackup } from '#src/features/servers/backups/service.ts'
import {
  findSetup,
  keepsWorld,
  requireNoDowngrade,
  type Setup,
  writeSetup,
} from '#src/features/servers/servers/service.ts'

export type SetupInput = {
  /** What it is to run; null: what it does. */
  setup: Setup | null
  /** What stays when the files are deleted; null: everything. */
  keep: string[] | null
  /** Whether a copy is kept, to go back to. */
  isKept: boolean
  /** Whether a backup is made before, which stays when the volume is gone. */
  isBackedUp: boolean
  /** Of the copy that takes the place of the files. */
  restore: string | null
}
export type SetupNotes = {
  /** What it ran before. */
  before: Setup
  /** A copy of the files lies beside them. */
  snapshot: boolean
  /** Files have been deleted or replaced: only the copy still has them. */
  touched: boolean
}
type SetupStep = Step<SetupInput, SetupNotes>

/** Puts the files back as the copy has them, unless nothing has touched them. */
async function putFilesBack(step: SetupStep): Promise<void> {
  if (step.notes.touched !== true || step.notes.snapshot !== true) return
  await untilDown(step)
  await restoreSnapshot(step, step.operationId)
  await step.note({ touched: false })
}

/** Asked once more where the game is down: it has written its world by now. @throws DomainError `world_is_newer` */
async function requireWorldFits(step: SetupStep): Promise<void> {
  const { setup, keep, restore } = step.input
  if (setup === null || restore !== null || !keepsWorld(keep)) return
  const { worldVersion } = await (await findSupervisor(step)).status()
  if (worldVersion != null) requireNoDowngrade(worldVersion, gameVersionOf(setup.plan.packages))
}

export const stop = {
  weight: 10,
  needsDown: true,
  async run(step: SetupStep) {
    await untilDown(step)
    await requireWorldFits(step)
  },
}

/** Beside the copy, which is quicker to go back to but lies where the files lie. */
export const backup = (cause: 'engine_change' | 'format') => ({
  weight: 10,
  needsDown: true,
  async run(step: SetupStep) {
    if (step.input.isBackedUp !== true) return
    const plain = step as unknown as Step<never, never>
    await backUp(plain, { kind: 'safety', cause, name: null, pinned: false, skipsUnchanged: false })
    await verifyBackup(plain)
  },
  undo: (step: SetupStep) => discardBackup(step as unknown as Step<never, never>),
})

export const snapshot = {
  weight: 15,
  needsDown: true,
  async run(step: SetupStep) {
    if (step.notes.before === undefined) await step.note({ before: await findSetup(step.deps.db, step.serverId) })
    if (step.input.isKept && (await takeSnapshot(step, step.operationId))) await step.note({ snapshot: true })
  },
  async undo(step: SetupStep) {
    if (!step.input.isKept) return
    await (await findSupervisor(step)).deleteSnapshot(step.operationId)
  },
}

export const erase = {
  weight: 10,
  needsDown: true,
  async run(step: SetupStep) {
    const { keep } = step.input
    if (keep === null) return
    await step.note({ touched: true })
    await formatVolume(step, keep)
  },
  undo: putFilesBack,
}

export const restore = {
  weight: 15,
  needsDown: true,
  async run(step: SetupStep) {
    if (step.input.restore === null) return
    await step.note({ touched: true })
    await restoreSnapshot(step, step.input.restore)
  },
  undo: putFilesBack,
}

export const install = {
  weight: 35,
  needsDown: true,
  async run(step: SetupStep) {
    const wanted = step.input.setup ?? step.notes.before
    if (wanted === undefined) throw new Error('no setup was noted')
    await step.note({ touched: true }) // an installation writes files of configuration too
    await step.write((trx) => writeSetup(trx, step.serverId, wanted))
    await untilInstalled(step, wanted.plan)
  },
  async undo(step: SetupStep) {
    await putFilesBack(step)
    const { before } = step.notes
    if (before !== undefined) await step.write((trx) => writeSetup(trx, step.serverId, before))
  },
}

export const start = { weight: 30, run: untilUp }
