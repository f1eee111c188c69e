import { sql } from 'kysely'
import type { Transaction } from '#src/db/client.ts'

/** Where plans and manifests are kept. */
const columns = [
  ['server_plans', 'plan'],
  ['server_snapshots', 'plan'],
  ['backups', 'plan'],
  ['server_locks', 'entries'],
  ['server_locks', 'ground'],
  ['server_packs', 'manifest'],
] as const

/** Of workers that start at once, one is first. @returns the address before; null where none was kept */
export async function swapArtifactUrl(trx: Transaction, artifactUrl: string): Promise<string | null> {
  const { artifact_url } = await trx
    .selectFrom('installation')
    .select('artifact_url')
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (artifact_url !== artifactUrl) await trx.updateTable('installation').set({ artifact_url: artifactUrl }).execute()
  return artifact_url
}

/** Addresses begin a text of JSON, which needs nothing escaped in them. */
export async function moveAddresses(trx: Transaction, { from, to }: { from: string; to: string }): Promise<void> {
  const [begun, begins] = [`"${from}`, `"${to}`]
  for (const [table, column] of columns)
    await sql`update ${sql.table(table)}
      set ${sql.ref(column)} = replace(${sql.ref(column)}::text, ${begun}, ${begins})::jsonb
      where strpos(${sql.ref(column)}::text, ${begun}) > 0`.execute(trx)
}
