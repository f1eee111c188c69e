/** The repository of a server: made when it is first needed, opened with a password that only the control plane has. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import { keyFor, seal, unseal } from '@wakestone/kit/seal'
import * as restic from '#src/adapters/restic/restic.ts'
import type { Context } from '#src/context.ts'
import * as repo from './repo.ts'

export type RepositoryDeps = Pick<Context, 'db' | 'fleet' | 'settings' | 'secrets' | 'logger'>

/** Who works renews a lock every five minutes; an older one was left behind. */
const deadLockMilliseconds = 6 * 60_000
const lockLookMilliseconds = 10_000

const sealingKey = ({ secrets }: Pick<Context, 'secrets'>) => keyFor(secrets.factors, 'backup repositories')

export const resticOf = ({ fleet, settings }: Pick<Context, 'fleet' | 'settings'>): restic.ResticDeps => ({
  cluster: fleet.cluster,
  settings,
})

/** As restic is given it. */
export function unlocked(deps: Pick<Context, 'secrets'>, row: repo.RepositoryRow): restic.Repository {
  const password = unseal(sealingKey(deps), row.server_id, row.password).toString()
  return { serverId: row.server_id, location: row.location, password }
}

/** @throws Error whose cause says what people are told, when its storage does not take it. */
export async function openRepository(deps: RepositoryDeps, serverId: string): Promise<repo.RepositoryRow> {
  const row = (await repo.findRepository(deps.db, serverId)) ?? (await makeRow(deps, serverId))
  if (row.made_at !== null) return row
  await explaining(() => restic.initRepository(resticOf(deps), unlocked(deps, row)))
  await repo.updateRepository(deps.db, row.id, { made_at: new Date() })
  return { ...row, made_at: new Date() }
}

async function makeRow(deps: RepositoryDeps, serverId: string): Promise<repo.RepositoryRow> {
  const password = seal(sealingKey(deps), serverId, Buffer.from(randomBytes(24).toString('base64url')))
  await repo.insertRepository(deps.db, { serverId, location: restic.locationFor(deps.settings, serverId), password })
  const row = await repo.findRepository(deps.db, serverId)
  if (row === undefined) throw new Error('the repository of this server was removed')
  return row
}

/** @throws DomainError `no_server_backup_repo_found` */
export async function requireRepository(deps: Pick<Context, 'db'>, serverId: string): Promise<repo.RepositoryRow> {
  const row = await repo.findRepository(deps.db, serverId)
  if (row === undefined || row.made_at === null) throw new DomainError('no_server_backup_repo_found')
  return row
}

/** Failures of restic in the words of the catalogue. What may pass is an Error with those as its cause. */
export async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof restic.NoRestic)
      throw new DomainError('no_backup_repository_updated', { reason: error.message })
    if (!(error instanceof restic.ResticError) || error.fault === 'cancelled') throw error
    // It is not there although it was made, or another lies in its place.
    const isLost = error.fault === 'missing' || error.fault === 'password'
    if (isLost) throw new DomainError('no_backup_repository_backup', { reason: error.fault })
    throw passing(error)
  }
}

/** It is tried again; the cause is what people are told in the end. */
const passing = ({ message, fault }: restic.ResticError) =>
  new Error(message, { cause: new DomainError('no_backup_repository_updated', { reason: fault }) })

/**
 * Does what takes a lock of the repository, also where one was left behind by a process that was killed. In a folder that
 * nobody looks after now it is removed at once, as everything else that writes there is one operation of its server at a
 * time; elsewhere somebody may be at work, and it is removed once it is too old for that.
 */
export async function withLock<Result>(
  deps: RepositoryDeps,
  row: repo.RepositoryRow,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const access = unlocked(deps, row)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof restic.ResticError) || error.fault !== 'locked') throw error
      await restic.unlockRepository(resticOf(deps), access, { all: await mayForce(deps, row, access) })
      await delay(lockLookMilliseconds, undefined, { signal })
    }
  }
}

async function mayForce(deps: RepositoryDeps, row: repo.RepositoryRow, access: restic.Repository): Promise<boolean> {
  const present = await repo.findRepository(deps.db, row.server_id)
  const isKept = present?.kept_until != null && present.kept_until > new Date()
  if (!isKept && restic.isFolder(row.location)) return true
  const youngest = await restic.findYoungestLock(resticOf(deps), access)
  return youngest === undefined || Date.now() - youngest.getTime() > deadLockMilliseconds
}
