/** Newer releases of what a server has: listed, taken, looked for each day and taken by themselves. */
import { DomainError } from '@wakestone/contract/errors'
import type { PackageUpdateRule, PackageUpdates } from '@wakestone/contract/servers/packages'
import { isTimeZone } from '@wakestone/contract/time-zone'
import type { Selector } from '@wakestone/packager/selector'
import type { SolveRequest } from '@wakestone/packager/solve/request'
import { versionOf } from '@wakestone/packager/requirements'
import { compareVersions } from '@wakestone/packager/versions/range'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { Gathered } from '#src/adapters/packages/gather.ts'
import { splitPackageName } from '#src/adapters/packages/source.ts'
import { canBackUp } from '#src/features/servers/backups/service.ts'
import { findServer, isLive, type ServerRow } from '#src/features/servers/servers/service.ts'
import { begin } from './begin.ts'
import { answer, type Catalogues, draftInstall, wantedOf } from './install.ts'
import { readInventory } from './inventory.ts'
import { clearPackFiles } from './pack-files.ts'
import * as repo from './repo.ts'
import type { InstalledPackage } from './repo.ts'

type Deps = Catalogues & Pick<Context, 'boss' | 'logger'>

async function findUpdates(deps: Catalogues, { server, userId }: { server: ServerRow; userId: string | null }) {
  const { installed } = await readInventory(deps.db, server.id)
  const names = installed.map(({ Manifest: { name } }) => name)
  if (names.length === 0) return { updates: [], unavailable: [], draft: undefined, explainSkipped: () => noneSkipped }
  const { draft, gathered, request } = await draftInstall(
    deps,
    { server, userId },
    wantedOf({ update: names, cause: 'update' }),
  )
  const asked = new Set(installed.flatMap(({ InstalledBySelector: by, Manifest: { name } }) => (by ? [name] : [])))
  const isNewer = (one: { from: string; to: string }) => compareVersions(one.to, one.from, 'semver') > 0
  const updates = draft.preview.is_possible ? draft.preview.changed.filter(isNewer) : []
  return {
    updates: updates.map((update) => ({
      ...update,
      source: splitPackageName(update.name).source,
      asked: asked.has(update.name),
    })),
    unavailable: gathered.unavailable,
    draft,
    explainSkipped: () => explainSkipped({ installed, updates, gathered, request }),
  }
}

type Skipped = Pick<PackageUpdates, 'chosen' | 'held'>
const noneSkipped: Skipped = { chosen: [], held: [] }

/** Packages that have a newer release and do not get it, and why. Costs a solve for each that its owner has pinned. */
function explainSkipped({
  installed,
  updates,
  gathered,
  request,
}: {
  installed: readonly InstalledPackage[]
  updates: readonly { name: string; to: string }[]
  gathered: Gathered
  request: SolveRequest
}): Skipped {
  const chosen: Skipped['chosen'] = []
  const held: Skipped['held'] = []
  for (const { InstalledBySelector: selector, Manifest: manifest } of installed) {
    const { version, format } = versionOf(manifest)
    const { name } = manifest
    const reached = updates.find((one) => one.name === name)?.to ?? version
    const newest = gathered.candidates
      .filter(({ channel, withdrawn, manifest: other }) => other.name === name && channel === 'stable' && !withdrawn)
      .map(({ manifest: other }) => versionOf(other).version)
      .toSorted((one, other) => compareVersions(other, one, format))[0]
    if (newest === undefined || compareVersions(newest, reached, format) <= 0) continue
    const wanted = wordsOfChoice(selector)
    const free = wanted === undefined ? undefined : reachedWithout(request, name)
    const hasMore = free !== undefined && compareVersions(free, reached, format) > 0
    if (wanted !== undefined && hasMore) chosen.push({ name, from: version, to: free, wanted })
    if (!hasMore || compareVersions(newest, free, format) > 0) held.push({ name, from: version, newest })
  }
  return { chosen, held }
}

/** In which words an owner has kept a package to some of its versions; undefined: to none. */
function wordsOfChoice(selector: Selector | undefined): string | undefined {
  return selector?.expr ?? (selector?.tag === undefined ? undefined : `#${selector.tag}`)
}

/** The version that a package would have if any were wanted; undefined: none, or the solver gave up. */
function reachedWithout(request: SolveRequest, name: string): string | undefined {
  const wishes = request.wishes.map((wish) => (wish.selector.name === name ? { ...wish, selector: { name } } : wish))
  try {
    const manifest = answer({ ...request, wishes, update: [name] }).targets_manifests.find((one) => one.name === name)
    return manifest && versionOf(manifest).version
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_many_packages') return undefined
    throw error
  }
}

export async function listUpdates(
  deps: Catalogues,
  asked: { server: ServerRow; userId: string },
): Promise<PackageUpdates> {
  const { updates, unavailable, explainSkipped: explain } = await findUpdates(deps, asked)
  // What was looked up just now is what the daily look would find.
  await repo.writeUpdateCheck(deps.db, asked.server.id, foundOf(updates))
  const check = await repo.findUpdateCheck(deps.db, asked.server.id)
  return {
    rule: await repo.findUpdateRule(deps.db, asked.server.id),
    checked_at: check?.checked_at.toISOString() ?? null,
    updates,
    ...explain(),
    unavailable,
  }
}

const foundOf = (updates: readonly { name: string; to: string }[]): repo.FoundUpdate[] =>
  updates.map(({ name, to }) => ({ name, to }))

/** @throws DomainError `invalid_request` for a time zone that is none. */
export async function changeUpdateRule(
  db: Context['db'],
  serverId: string,
  rule: PackageUpdateRule,
): Promise<PackageUpdateRule> {
  if (!isTimeZone(rule.time_zone)) throw new DomainError('invalid_request', { time_zone: 'time_zone' })
  await repo.writeUpdateRule(db, serverId, rule)
  return repo.findUpdateRule(db, serverId)
}

/** Whether a moment lies within the hours of a rule. */
export function isWithinHours(
  { from_hour, to_hour, time_zone }: Pick<PackageUpdateRule, 'from_hour' | 'to_hour' | 'time_zone'>,
  now: Date,
): boolean {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  )
  if (from_hour === to_hour) return true
  return from_hour < to_hour ? hour >= from_hour && hour < to_hour : hour >= from_hour || hour < to_hour
}

const atOnce = 20
/** What players get who are on when updates are taken by themselves. */
const warnedSeconds = 60

/** Files of packs go with the servers that had them. */
export const clearPacks = ({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> =>
  clearPackFiles(settings, (sha256) => repo.hasPack(db, sha256))

/** Looks for what is new where it is due, tells of it, and takes it where its owner wants that. */
export async function checkForUpdates(deps: Deps, now = new Date()): Promise<void> {
  for (const serverId of await repo.selectDueForUpdates(deps.db, atOnce)) {
    try {
      await checkServer(deps, serverId, now)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      deps.logger.info({ serverId, code: error.code }, 'updates of packages could not be looked for')
      await repo.writeUpdateCheck(deps.db, serverId, [])
    }
  }
}

async function checkServer(deps: Deps, serverId: string, now: Date): Promise<void> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) return
  const rule = await repo.findUpdateRule(deps.db, serverId)
  const before = (await repo.findUpdateCheck(deps.db, serverId))?.found ?? []
  const { updates, draft } = await findUpdates(deps, { server, userId: null })
  const fresh = updates.filter(({ name, to }) => !before.some((one) => one.name === name && one.to === to))
  await repo.writeUpdateCheck(deps.db, serverId, foundOf(updates))
  if (updates.length === 0 || draft === undefined) return
  if (rule.mode === 'offer') {
    if (fresh.length > 0) await tell(deps, server, updates)
    return
  }
  const isBusy = rule.only_empty && server.players_online > 0
  // A free server that sleeps has no place to come up in.
  if (isBusy || !isWithinHours(rule, now) || (server.product_id === 'FREE' && !isLive(server.phase))) return
  await repo.noteTaken(deps.db, serverId)
  const isBackedUp = await canBackUp(deps, serverId)
  const input = { ...draft.input, isBackedUp, warning: { seconds: warnedSeconds } }
  await begin(deps, { server, userId: null }, { kind: 'package_install', draft: { ...draft, input } })
}

async function tell({ db }: Deps, server: ServerRow, updates: readonly { name: string; to: string }[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await notify(trx, {
      userId: server.owner_id,
      kind: 'PACKAGE_UPDATES_AVAILABLE',
      fields: {
        server: server.name,
        packages: updates
          .map(({ name, to }) => `${name} ${to}`)
          .join(', ')
          .slice(0, 300),
      },
      resource: { type: 'server', id: server.id },
      dedupeKey: `updates ${server.id} ${updates.map(({ name, to }) => `${name}@${to}`).join()}`.slice(0, 200),
    })
  })
}
