/** Databases of servers: what a dump of them holds goes into the server's own MySQL, where its plan has one. */
import { DomainError } from '@wakestone/contract/errors'
import type { Product } from '@wakestone/contract/sales/product'
import { importStatements, renewPassword } from '#src/features/servers/mysql/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import type { FoundServer } from './model.ts'
import type { Line } from './report.ts'
import { writeItemState } from './repo.ts'
import { findDatabaseDump, openPlain } from './source-files.ts'
import { insertBegun, type Work } from './work.ts'

export async function bringDatabases(work: Work, found: readonly FoundServer[]): Promise<void> {
  for (const server of found)
    for (const [index, name] of server.databases.entries())
      work.lines.push(await bringDatabase(work, server, { name, index }))
}

async function bringDatabase(
  work: Work,
  server: FoundServer,
  { name, index }: { name: string; index: number },
): Promise<Line> {
  const { context, options } = work
  const key = `${server.key}:${name}`
  const line = { kind: 'database', key, name: `${name} of ${server.name}`, notes: [] as string[] } as const
  const leftOut = (reason: string): Line => ({ ...line, outcome: 'left out', reason })
  const before = work.known('database', key)
  if (before !== undefined && before.state !== 'begun') return { ...line, outcome: 'unchanged', id: before.made }
  const dump = options.files === undefined ? undefined : await findDatabaseDump(options.files, name)
  if (dump === undefined) return leftOut('there is no dump of it in the folder of --files')
  if (index > 0) return leftOut('a server has one database here, and the first is in it')
  const here = work.known('server', server.key)
  if (here === undefined && !options.isDryRun) return leftOut('its server did not come along')
  if (options.isDryRun) return { ...line, outcome: 'made' }
  const placed = here === undefined ? undefined : await findServer(context.db, here.made)
  if (placed === undefined || here?.state === 'kept') return leftOut('its server is gone')
  if (((placed.limits as Product['parameters']).mysql ?? 0) === 0) return leftOut('the plan of its server has no MySQL')
  const on = { server: placed, userId: placed.owner_id }
  try {
    if (before !== undefined) return leftOut('it was being read when the import was ended; its owner reads it in anew')
    const itemId = await insertBegun(work, { kind: 'database', key, made: placed.id })
    await renewPassword(context, on)
    const file = await openPlain(dump)
    try {
      const { size } = await file.stat()
      const signal = new AbortController().signal
      await importStatements(context, on, { source: file.createReadStream({ autoClose: false }), bytes: size, signal })
    } finally {
      await file.close()
    }
    await writeItemState(context.db, itemId, 'made')
    line.notes.push('its owner makes a password for it under MySQL')
    return { ...line, outcome: 'made', id: placed.id }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return leftOut(`its server refuses it (${error.code}); its owner can read it in under MySQL`)
  }
}
