/**
 * The copy of everything that is kept of a user: made by a job, kept for seven days in `DATA_DIR/exports`, fetched by a
 * link that works once.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { DataExport } from '@wakestone/contract/accounts/data-export'
import { eventLevels } from '@wakestone/contract/ground/event'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { createArchive } from './archive.ts'
import {
  type DataExportRow,
  findExport,
  insertExport,
  lockRequester,
  markReady,
  selectExports,
  setLink,
  takeLink,
} from './exports-repo.ts'
import { freezeView, readRows } from './repo.ts'
import { personalTables } from './tables.ts'

const dayMilliseconds = 24 * 3600_000
const keptMilliseconds = 7 * dayMilliseconds
const linkMilliseconds = 10 * 60_000

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export const exportDataJob = defineJob<{ exportId: string }>({
  queue: 'export-data',
  policy: 'standard',
  retryLimit: 3,
  retryDelaySeconds: 30,
  expireInSeconds: 1800,
})

/** Where the file of a copy is. */
export const exportsFolder = ({ DATA_DIR }: Context['settings']) => join(DATA_DIR, 'exports')
const fileOf = ({ settings }: Pick<Context, 'settings'>, exportId: string) =>
  join(exportsFolder(settings), `${exportId}.zip`)

function toExport(row: DataExportRow): DataExport {
  const { id, bytes } = row
  return {
    id,
    state: row.state as DataExport['state'],
    created_at: row.created_at.toISOString(),
    ready_at: row.ready_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    bytes,
  }
}

export async function listExports({ db }: Pick<Context, 'db'>, userId: string): Promise<DataExport[]> {
  return (await selectExports(db, userId)).map(toExport)
}

/** @throws DomainError `too_many_requests` within a day of the last one that did not fail. */
export async function requestExport(context: Pick<Context, 'db' | 'boss'>, userId: string): Promise<DataExport> {
  return inTransaction(context.db, async (trx) => {
    if (!(await lockRequester(trx, userId))) throw new DomainError('user_not_found', { resource: 'user' })
    const last = (await selectExports(trx, userId)).find(({ state }) => state !== 'failed')
    const wait = last === undefined ? 0 : last.created_at.getTime() + dayMilliseconds - Date.now()
    if (wait > 0) throw new DomainError('too_many_requests', { retry_after: Math.ceil(wait / 1000) })
    const row = await insertExport(trx, userId)
    await enqueue(context.boss, trx, exportDataJob, { exportId: row.id })
    await recordUserEvent(trx, userId, { action: 'USER_EXPORT_DATA', level: eventLevels.WARN })
    return toExport(row)
  })
}

/** Does the job. One that is done again begins anew. */
export async function makeExport(context: Pick<Context, 'db' | 'settings'>, exportId: string): Promise<void> {
  const row = await findExport(context.db, exportId)
  if (row === undefined || row.state !== 'pending') return
  const path = fileOf(context, exportId)
  await mkdir(exportsFolder(context.settings), { recursive: true, mode: 0o700 })
  await rm(path, { force: true })
  const bytes = await inTransaction(context.db, async (trx) => {
    await freezeView(trx)
    return writeArchive(trx, { userId: row.user_id, path })
  })
  const expiresAt = new Date(Date.now() + keptMilliseconds)
  await inTransaction(context.db, async (trx) => {
    if (!(await markReady(trx, exportId, { bytes, expiresAt }))) return
    const fields = { expires: expiresAt.toISOString() }
    await notify(trx, { userId: row.user_id, kind: 'DATA_EXPORT_READY', fields, dedupeKey: `export:${exportId}` })
  })
}

async function writeArchive(trx: Transaction, { userId, path }: { userId: string; path: string }): Promise<number> {
  const archive = await createArchive(path)
  const left: Record<string, string> = {}
  for (const [name, { of, export: copy }] of Object.entries(personalTables)) {
    if ('not' in copy) left[name] = copy.not
    else await archive.add(`${name}.json`, writeTable(copy.about, readRows(trx, { name, of, copy, userId })))
  }
  const index = {
    made_at: new Date().toISOString(),
    about: 'One file per table: what it holds, and your rows of it. Times are in UTC, amounts in minor units.',
    not_included: left,
  }
  await archive.add('index.json', [JSON.stringify(index, null, 2)])
  return archive.close()
}

async function* writeTable(about: string, rows: AsyncIterable<string[]>): AsyncGenerator<string> {
  yield `{"about":${JSON.stringify(about)},"rows":[`
  let separator = '\n'
  for await (const lines of rows) {
    yield separator + lines.join(',\n')
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** @throws DomainError `resource_not_found` where there is nothing to fetch. */
export async function linkToExport(
  { db }: Pick<Context, 'db'>,
  { userId, exportId }: { userId: string; exportId: string },
): Promise<{ path: string }> {
  const row = await findExport(db, exportId)
  if (row === undefined || row.user_id !== userId || row.state !== 'ready') throw new DomainError('resource_not_found')
  const secret = randomBytes(32).toString('base64url')
  await setLink(db, exportId, { hash: hashOf(secret), expiresAt: new Date(Date.now() + linkMilliseconds) })
  return { path: `/api/v1/exports/${exportId}.${secret}` }
}

/** Opens the file that a link leads to. @throws DomainError `user_code_expired`, also for one that was used or forged. */
export async function openExport(
  context: Pick<Context, 'db' | 'settings'>,
  code: string,
): Promise<{ stream: Readable; bytes: number; madeAt: Date }> {
  const [exportId = '', secret = ''] = code.split('.')
  if (!z.uuid().safeParse(exportId).success) throw new DomainError('no_code')
  return inTransaction(context.db, async (trx) => {
    const row = await takeLink(trx, exportId, hashOf(secret))
    if (row === undefined || row.ready_at === null) throw new DomainError('user_code_expired')
    await recordUserEvent(trx, row.user_id, { action: 'USER_DOWNLOAD_DATA', level: eventLevels.WARN })
    return { stream: createReadStream(fileOf(context, row.id)), bytes: row.bytes ?? 0, madeAt: row.ready_at }
  })
}
