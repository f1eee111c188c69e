/** Packages of a server: looked at, chosen by the solver, changed by operations. */
import { DomainError } from '@wakestone/contract/errors'
import type {
  installedPackageSchema,
  installPackagesBody,
  PackagePreview,
  PackageRules,
  rollBackBody,
  takeUpdatesBody,
  uninstallPackagesBody,
} from '@wakestone/contract/servers/packages'
import type { EngineId } from '@wakestone/contract/servers/server'
import { loadersOfEngine } from '@wakestone/contract/servers/package-loaders'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { Wish } from '@wakestone/packager/solve/request'
import type { z } from 'zod'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { canBackUp } from '#src/features/servers/backups/service.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import { findServer, isLive, type ServerRow } from '#src/features/servers/servers/service.ts'
import { begin, type PackageOperation } from './begin.ts'
import { findDataFolders } from './data-folders.ts'
import type { Draft } from './draft.ts'
import { answer, type Catalogues, draftInstall, requirePossible, wantedOf } from './install.ts'
import { asCandidate, groundWishes, planWith, readInventory } from './inventory.ts'
import { draftRollBack } from './locks.ts'
import { writePackageRules } from './repo.ts'
import { findRules } from './rules.ts'
import { draftRemoval } from './uninstall.ts'

export { packageInstall, packageQuarantine, packageRollback, packageUninstall } from './operations.ts'
export { isolatePackages } from './quarantine.ts'
export { hasPack, selectServersWithFile } from './repo.ts'
export { sourceContextOf, readInventory } from './inventory.ts'

type Deps = Catalogues & Pick<Context, 'boss' | 'logger' | 'fleet'>
type Asked = { server: ServerRow; userId: string }
/** Of a dry run the preview, else the process. */
type Outcome =
  | { preview: PackagePreview; id?: undefined; stops?: undefined }
  | { preview?: undefined; id: string; stops: boolean }

export async function listPackages(
  { db }: Pick<Context, 'db'>,
  serverId: string,
): Promise<z.input<typeof installedPackageSchema>[]> {
  return (await readInventory(db, serverId)).installed
}

/** @throws DomainError that says why it cannot be, unless it is a dry run; `invalid_selector` */
export async function installPackages(
  deps: Deps,
  { server, userId }: Asked,
  { dry_run, in_seconds, ...wanted }: z.output<typeof installPackagesBody>,
): Promise<Outcome> {
  const worked = await draftInstall(deps, { server, userId }, wanted)
  if (dry_run) return { preview: worked.draft.preview }
  await requirePossibleOrTell(deps, server, worked)
  const draft = await backedUpWhereMoved(deps, server, worked.draft)
  return start(deps, { server, userId }, { kind: 'package_install', draft, in_seconds })
}

async function start(
  deps: Deps,
  asked: Asked,
  { kind, draft, in_seconds }: { kind: PackageOperation; draft: Draft; in_seconds: number },
): Promise<{ id: string; stops: boolean }> {
  const warned = { ...draft, input: { ...draft.input, warning: { seconds: in_seconds } } }
  const id = await begin(deps, asked, { kind, draft: warned })
  return { id, stops: isLive(asked.server.phase) && !draft.isDone }
}

/** Another engine writes worlds in its own way. */
async function backedUpWhereMoved(deps: Deps, server: ServerRow, draft: Draft): Promise<Draft> {
  if (draft.input.grounds === undefined) return draft
  return { ...draft, input: { ...draft.input, isBackedUp: await canBackUp(deps, server.id) } }
}

type Worked = Awaited<ReturnType<typeof draftInstall>>

/** Its owner is told when somebody else has met the limit. */
async function requirePossibleOrTell({ db }: Deps, server: ServerRow, { draft, ...found }: Worked): Promise<void> {
  if (draft.preview.obstacle === 'too_many_plugins') {
    const limit = draft.preview.plugins.limit ?? 0
    await inTransaction(db, (trx) =>
      notify(trx, {
        userId: server.owner_id,
        kind: 'TOO_MANY_PLUGINS',
        fields: { server: server.name, limit },
        resource: { type: 'server', id: server.id },
        dedupeKey: `plugins ${server.id} ${limit} ${new Date().toISOString().slice(0, 10)}`,
      }),
    )
  }
  requirePossible(draft, found)
}

/** @throws DomainError `resource_not_found`, and `kloceg_uninstall_failed` while others need what is to go */
export async function uninstallPackages(
  deps: Deps,
  { server, userId }: Asked,
  { packages, delete_data, force, in_seconds, dry_run }: z.output<typeof uninstallPackagesBody>,
): Promise<Outcome> {
  const inventory = await readInventory(deps.db, server.id)
  const rules = await findRules(deps, server)
  const draft = draftRemoval(inventory, { packages, force, server, rules })
  const gone = new Set(draft.preview.removed.map(({ name }) => name))
  const leaving = inventory.installed.flatMap(({ Manifest: one }): Manifest[] => (gone.has(one.name) ? [one] : []))
  const folders = delete_data ? await findDataFolders(filesOf(deps, server), leaving) : []
  if (dry_run) return { preview: { ...draft.preview, data_folders: folders } }
  const { obstacle, missing_dependants } = draft.preview
  if (obstacle !== null)
    throw new DomainError('kloceg_uninstall_failed', {
      reason: obstacle,
      packages: missing_dependants.map(({ dependant }) => dependant).join(', '),
    })
  const input = { ...draft.input, dataFolders: folders }
  return start(deps, { server, userId }, { kind: 'package_uninstall', draft: { ...draft, input }, in_seconds })
}

/** @throws DomainError as of an installation */
export async function takeUpdates(
  deps: Deps,
  { server, userId }: Asked,
  { packages, backup, in_seconds, dry_run }: z.output<typeof takeUpdatesBody>,
): Promise<Outcome> {
  const { installed } = await readInventory(deps.db, server.id)
  const names = installed.map(({ Manifest: { name } }) => name)
  for (const name of packages ?? [])
    if (!names.includes(name)) throw new DomainError('resource_not_found', { resource: 'package', name })
  const worked = await draftInstall(deps, { server, userId }, wantedOf({ update: packages ?? names, cause: 'update' }))
  if (dry_run) return { preview: worked.draft.preview }
  requirePossible(worked.draft, worked)
  const isBackedUp = backup && (await canBackUp(deps, server.id))
  const draft: Draft = { ...worked.draft, input: { ...worked.draft.input, isBackedUp } }
  return start(deps, { server, userId }, { kind: 'package_install', draft, in_seconds })
}

/** @throws DomainError `resource_not_found`; `kloceg_install_failed` for what cannot be had any more, or does not fit */
export async function rollBackPackages(
  deps: Deps,
  { server, userId, lockId, in_seconds, dry_run }: Asked & { lockId: string } & z.output<typeof rollBackBody>,
): Promise<Outcome> {
  const draft = await draftRollBack(deps, { server, userId, lockId })
  if (dry_run) return { preview: draft.preview }
  const { obstacle, plugins } = draft.preview
  if (obstacle === 'too_many_plugins')
    throw new DomainError('too_many_plugins_on_server', { limit: plugins.limit ?? 0, count: plugins.count })
  if (obstacle !== null)
    throw new DomainError('kloceg_install_failed', { reason: obstacle, packages: draft.input.names.join(', ') })
  return start(deps, { server, userId }, { kind: 'package_rollback', draft, in_seconds })
}

/**
 * The packages of a server in another plan, such as that of another engine.
 * @throws DomainError `packages_do_not_fit` when one of them does not go with it
 */
export async function carryPackages(
  { db }: Pick<Context, 'db'>,
  serverId: string,
  plan: InstallPlan,
  engine: EngineId,
) {
  const { installed } = await readInventory(db, serverId)
  if (installed.length === 0) return plan
  const manifests = installed.map(({ Manifest: manifest }) => manifest)
  const { isSolved } = answer({
    candidates: [...plan.packages, ...manifests].map(asCandidate),
    wishes: [
      ...groundWishes(plan.packages),
      ...manifests.map(({ name }): Wish => ({ selector: { name }, of: 'owner' })),
    ],
    locked: [],
  })
  const strange = manifests.filter(({ labels: { loaders = '' } }) => {
    const own = loaders.split(',').filter((loader) => loader !== '')
    return own.length > 0 && own.every((loader) => !loadersOfEngine[engine].some((one) => one === loader))
  })
  if (!isSolved || strange.length > 0) {
    const named = strange.length > 0 ? strange : manifests
    throw new DomainError('packages_do_not_fit', { packages: named.map(({ name }) => name).join(', ') })
  }
  return planWith(plan, { ground: plan.packages, packages: manifests })
}

export async function getPackageRules(
  deps: Pick<Context, 'db' | 'settings'>,
  server: Pick<ServerRow, 'id' | 'product_id'>,
): Promise<PackageRules> {
  const { mayHave: _, isRefused: _refused, ...rules } = await findRules(deps, server)
  return rules
}

/** @throws DomainError `server_id_not_found` */
export async function changePackageRules(
  deps: Pick<Context, 'db' | 'settings'>,
  serverId: string,
  rules: PackageRules,
): Promise<PackageRules> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  await writePackageRules(deps.db, serverId, rules)
  return getPackageRules(deps, server)
}
