/** What the steps of an import share. */
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import type { ImportOptions } from './options.ts'
import type { Kind, Line } from './report.ts'
import * as repo from './repo.ts'

export type ImportContext = Pick<Context, 'db' | 'boss' | 'settings' | 'fleet' | 'logger'> & {
  engines: EngineCatalogue
}

export type Work = {
  context: ImportContext
  options: ImportOptions
  source: repo.Source
  lines: Line[]
  notes: string[]
  /** Tells the operator how far it is. */
  say: (line: string) => void
  /** What came before, or has come by now. */
  known(kind: Kind, key: string): KnownItem | undefined
  /**
   * Makes something together with the note of it: both, or neither.
   * @returns what `make` returns
   */
  bring<Made extends { id: string }>(
    item: { kind: Kind; key: string; row: object; state?: 'made' | 'found' | 'begun' },
    make: (trx: Transaction, itemId: string) => Promise<Made & { details?: object }>,
  ): Promise<Made>
  importId(): string | null
}

export type KnownItem = Pick<repo.ItemRow, 'id' | 'made' | 'state' | 'details'> & { row_hash: Buffer }

export async function openWork(
  parts: Pick<Work, 'context' | 'options' | 'source' | 'say'> & { dumpHash: Buffer },
): Promise<Work> {
  const { context, source } = parts
  const items = new Map<string, KnownItem>()
  const nameOf = (kind: Kind, key: string) => `${kind} ${key}`
  for (const item of await repo.selectKnownItems(context.db, source))
    items.set(nameOf(item.kind as Kind, item.source_key), item)
  let importId: string | undefined
  return {
    ...parts,
    lines: [],
    notes: [],
    known: (kind, key) => items.get(nameOf(kind, key)),
    importId: () => importId ?? null,
    async bring({ kind, key, row, state = 'made' }, make) {
      const rowHash = repo.hashRow(row)
      const { made, item } = await inTransaction(context.db, async (trx) => {
        const run = await repo.beginImport(trx, source, parts.dumpHash)
        // Its id is what money is posted under, so it is there first.
        const placeholder = '00000000-0000-0000-0000-000000000000'
        const note = { importId: run, source, kind, key, made: placeholder, state, rowHash }
        const itemId = await repo.insertItem(trx, note)
        const done = await make(trx, itemId)
        await repo.writeItemMade(trx, itemId, { made: done.id, details: done.details ?? {} })
        return { made: done, item: { itemId, run } }
      })
      importId = item.run
      items.set(nameOf(kind, key), { id: item.itemId, made: made.id, state, details: {}, row_hash: rowHash })
      return made
    },
  }
}

/** What has to be said of something that came before. */
export const outcomeOf = (item: KnownItem, row: object): 'unchanged' | 'changed' =>
  item.row_hash.equals(repo.hashRow(row)) ? 'unchanged' : 'changed'

/** Notes files that are on their way: what is made of them is not one transaction. @returns id of the note */
export async function insertBegun(
  work: Work,
  { kind, key, made }: { kind: Kind; key: string; made: string },
): Promise<string> {
  await work.bring({ kind, key, row: {}, state: 'begun' }, async () => ({ id: made }))
  const known = work.known(kind, key)
  if (known === undefined) throw new Error('a note vanished')
  return known.id
}
