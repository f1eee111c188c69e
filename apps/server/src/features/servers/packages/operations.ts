/** Changes of packages: the supervisor lays everything out beside what runs and changes over in one step. */
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Selector } from '@wakestone/packager/selector'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { backUp, discardBackup, verifyBackup } from '#src/features/servers/backups/service.ts'
import { warnBefore, type WarnedInput, type WarningNotes } from '#src/features/servers/countdown/service.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import {
  defineOperation,
  type Ended,
  type Step,
  untilDown,
  untilInstalled,
  untilUp,
} from '#src/features/servers/operations/service.ts'
import { findServer, findSetup, type Setup, writeSetup } from '#src/features/servers/servers/service.ts'
import { deleteLock, type InstalledPackage, insertLock, type LockCause } from './repo.ts'

export type PackageInput = WarnedInput & {
  setup: Setup
  entries: InstalledPackage[]
  cause: LockCause
  /** What was installed when this was worked out. */
  before: InstalledPackage[]
  /** For the event, as those below. */
  names: string[]
  ids: string[]
  replaced: { from: string; to: string }[]
  selectors: readonly Selector[]
  force: boolean
  installDeps: boolean
  /** Go into the trash. */
  dataFolders: string[]
  isBackedUp: boolean
  /** What the server runs besides its packages, where that changes too. */
  grounds?: { before: Setup; after: Setup } | undefined
  /** Files that are moved out of every program's way first. */
  isolate?: string[]
}
type PackageNotes = WarningNotes & {
  /** What the server ran before. */
  before: Setup
  /** What was put into the trash, and since when. */
  cleared: string[]
  clearedAt: string
}
export type PackageStep = Step<PackageInput, PackageNotes>
type End = Ended<PackageInput, PackageNotes>

const asPlain = (step: PackageStep) => step as unknown as Step<never, never>

const backup = {
  weight: 30,
  async run(step: PackageStep) {
    if (!step.input.isBackedUp) return
    await backUp(asPlain(step), {
      kind: 'safety',
      cause: 'package_update',
      name: null,
      pinned: false,
      skipsUnchanged: false,
    })
    await verifyBackup(asPlain(step))
  },
  undo: (step: PackageStep) => discardBackup(asPlain(step)),
}

const warn = warnBefore('packages')
const stop = { weight: 15, needsDown: true, run: (step: PackageStep) => untilDown(asPlain(step)) }

/** Before anything is laid out: from here on the server starts with what is to be. */
async function writeWanted(step: PackageStep): Promise<void> {
  const { setup, entries, cause, before, grounds } = step.input
  if (step.notes.before === undefined) await step.note({ before: await findSetup(step.deps.db, step.serverId) })
  await step.write(async (trx) => {
    await writeSetup(trx, step.serverId, setup)
    const { serverId, operationId } = step
    await insertLock(trx, { serverId, operationId, cause, entries, before, grounds })
  })
}

const install = {
  weight: 45,
  needsDown: true,
  async run(step: PackageStep) {
    await writeWanted(step)
    try {
      await untilInstalled(asPlain(step), step.input.setup.plan)
    } catch (error) {
      throw told(step, error)
    }
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

/** What the supervisor says of a package that it could not install, by the code of what was asked for. */
function told({ input }: PackageStep, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'game_setup_is_invalid') return error
  const said = String(error.fields?.['reason'] ?? '')
  const twice = /^(.*?): same path: (.*) of (.*) and (.*)$/s.exec(said)
  const code = input.cause === 'uninstall' ? 'kloceg_uninstall_failed' : 'kloceg_install_failed'
  return twice
    ? new DomainError(code, { reason: 'same_path', path: twice[2] ?? '', packages: `${twice[3]}, ${twice[4]}` })
    : new DomainError(code, { reason: said.slice(0, 500), packages: input.names.join(', ') })
}

const clear = {
  weight: 10,
  needsDown: true,
  async run(step: PackageStep) {
    if (step.input.dataFolders.length === 0) return
    const files = await findFiles(step)
    if (step.notes.clearedAt === undefined)
      await step.note({ cleared: step.input.dataFolders, clearedAt: new Date().toISOString() })
    const there: string[] = []
    for (const path of step.input.dataFolders) if (await isThere(files, path)) there.push(path)
    if (there.length > 0) await files.delete(there)
  },
  async undo(step: PackageStep) {
    const { cleared = [], clearedAt } = step.notes
    if (clearedAt === undefined) return
    const files = await findFiles(step)
    const { entries } = await files.trash()
    const ids = cleared.flatMap((path) => {
      // Clocks of the volume may be a little behind ours.
      const own = entries.filter(
        (entry) => entry.path === path && Date.parse(entry.deletedAt) > Date.parse(clearedAt) - 60_000,
      )
      return own[0]?.id ?? []
    })
    if (ids.length > 0) await files.restoreTrash(ids, 'keep-both')
  },
}

async function findFiles({ deps, serverId }: Pick<PackageStep, 'deps' | 'serverId'>) {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return filesOf(deps, server)
}

async function isThere(files: Awaited<ReturnType<typeof findFiles>>, path: string): Promise<boolean> {
  try {
    await files.stat(path)
    return true
  } catch (error) {
    if (error instanceof DomainError && error.code === 'file_does_not_exist') return false
    throw error
  }
}

const start = { weight: 40, run: (step: PackageStep) => untilUp(asPlain(step)) }

async function tellEnd(
  trx: Transaction,
  { serverId, operationId, userId, input, outcome, error }: End,
  action: 'SERVER_INSTALL_PACKAGE' | 'SERVER_UNINSTALL_PACKAGE',
): Promise<void> {
  const isDone = outcome === 'done'
  const names = input.names.join(', ')
  const eventId = await recordServerEvent(trx, serverId, {
    action,
    success: isDone,
    ...(outcome !== 'done' && outcome !== 'cancelled' && { level: eventLevels.ERROR }),
    ...(error !== null && { error }),
    data: {
      ...(userId !== null && { executor: userId }),
      process_id: operationId,
      package_name: names,
      package_id: input.ids.join(', '),
      package_label: input.cause,
      selectors: [...input.selectors],
      ...(action === 'SERVER_INSTALL_PACKAGE'
        ? { replace_installed_with: input.replaced, force: input.force, install_deps: input.installDeps }
        : { force: input.force, delete_data: input.dataFolders.length > 0 }),
    },
  })
  if (isDone || outcome === 'cancelled') return
  const server = await findServer(trx, serverId)
  if (server === undefined) return
  await notify(trx, {
    userId: server.owner_id,
    resource: { type: 'server', id: serverId },
    eventId,
    dedupeKey: `packages ${operationId}`,
    kind: action === 'SERVER_INSTALL_PACKAGE' ? 'PACKAGE_INSTALL_FAILED' : 'PACKAGE_UNINSTALL_FAILED',
    fields: { server: server.name, package: names },
  })
}
const tell = (action: 'SERVER_INSTALL_PACKAGE' | 'SERVER_UNINSTALL_PACKAGE') => (trx: Transaction, end: End) =>
  tellEnd(trx, end, action)

export const packageInstall = defineOperation('package_install', {
  exclusive: true,
  phases: { backup, warn, stop, install, start },
  ended: tell('SERVER_INSTALL_PACKAGE'),
})
export const packageUninstall = defineOperation('package_uninstall', {
  exclusive: true,
  phases: { warn, stop, install, clear, start },
  ended: tell('SERVER_UNINSTALL_PACKAGE'),
})
export const packageRollback = defineOperation('package_rollback', {
  exclusive: true,
  phases: { warn, stop, install, start },
  ended: tell('SERVER_INSTALL_PACKAGE'),
})

/** Where nothing loads it, and its owner and whoever looks into it find it. */
const isolationFolder = '.quarantine'

/** What turned out to be malice does not come back: no phase has a way back. */
export const packageQuarantine = defineOperation<'package_quarantine', PackageInput, PackageNotes>(
  'package_quarantine',
  {
    exclusive: true,
    phases: {
      stop: {
        weight: 20,
        needsDown: true,
        async run(step) {
          await writeWanted(step)
          await untilDown(asPlain(step))
        },
      },
      isolate: {
        weight: 10,
        needsDown: true,
        async run(step) {
          const files = await findFiles(step)
          const there: string[] = []
          for (const path of step.input.isolate ?? []) if (await isThere(files, path)) there.push(path)
          if (there.length === 0) return
          const folder = `${isolationFolder}/${step.operationId}`
          if (!(await isThere(files, folder))) await files.makeFolder(folder)
          await files.move(there, folder, 'keep-both')
        },
      },
      install: {
        weight: 40,
        needsDown: true,
        run: (step) => untilInstalled(asPlain(step), step.input.setup.plan),
      },
      start: { weight: 30, run: (step) => untilUp(asPlain(step)) },
    },
    ended: tell('SERVER_UNINSTALL_PACKAGE'),
  },
)
