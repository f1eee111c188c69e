/** Installing and removing packages: the supervisor lays everything out beside what runs and changes over in one step. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import {
  defineOperation,
  type Ended,
  type Step,
  untilDown,
  untilInstalled,
  untilUp,
} from '#src/features/servers/operations/service.ts'
import { findSetup, type Setup, writeSetup } from '#src/features/servers/servers/service.ts'
import { deleteLock, type InstalledPackage, insertLock } from './repo.ts'

export type PackageInput = {
  setup: Setup
  entries: InstalledPackage[]
  /** For the event. */
  names: string[]
  replaced: { from: string; to: string }[]
}
type PackageNotes = {
  /** What the server ran before. */
  before: Setup
}
type PackageStep = Step<PackageInput, PackageNotes>

const stop = { weight: 15, needsDown: true, run: (step: PackageStep) => untilDown(step as never) }

const install = {
  weight: 45,
  needsDown: true,
  async run(step: PackageStep) {
    const { setup, entries } = step.input
    if (step.notes.before === undefined) await step.note({ before: await findSetup(step.deps.db, step.serverId) })
    await step.write(async (trx) => {
      await writeSetup(trx, step.serverId, setup)
      await insertLock(trx, { serverId: step.serverId, operationId: step.operationId, entries })
    })
    await untilInstalled(step as never, setup.plan)
  },
  async undo(step: PackageStep) {
    const { before } = step.notes
    if (before === undefined) return
    await step.write(async (trx) => {
      await writeSetup(trx, step.serverId, before)
      await deleteLock(trx, step.operationId)
    })
  },
}

const start = { weight: 40, run: (step: PackageStep) => untilUp(step as never) }

const tell =
  (action: 'SERVER_INSTALL_PACKAGE' | 'SERVER_UNINSTALL_PACKAGE') =>
  async (trx: Transaction, { serverId, userId, input, outcome, error }: Ended<PackageInput, PackageNotes>) => {
    const isDone = outcome === 'done'
    await recordServerEvent(trx, serverId, {
      action,
      success: isDone,
      ...(outcome !== 'done' && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
      ...(error !== null && { error }),
      data: {
        ...(userId !== null && { executor: userId }),
        package_name: input.names.join(', '),
        ...(action === 'SERVER_INSTALL_PACKAGE' && { replace_installed_with: input.replaced }),
      },
    })
  }

export const packageInstall = defineOperation('package_install', {
  exclusive: true,
  phases: { stop, install, start },
  ended: tell('SERVER_INSTALL_PACKAGE'),
})
export const packageUninstall = defineOperation('package_uninstall', {
  exclusive: true,
  phases: { stop, install, start },
  ended: tell('SERVER_UNINSTALL_PACKAGE'),
})
