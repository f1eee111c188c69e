import { sql } from 'kysely'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle } from '#src/db/client.ts'

export type Missing = {
  project_id: string
  to: Language
  from: Language
  short_description: string
  description: string
  hint: string | null
  digest: string
}

/**
 * One text that is to be translated now, the most used project first: of what everybody sees, in a language that its
 * author has left empty, from the original as it is today.
 */
export async function findMissing(db: Handle, languages: readonly Language[]): Promise<Missing | undefined> {
  const { rows } = await sql<Missing>`
    with wanted as (
      select project.id as project_id, language.code as to, original.language as from, original.short_description,
        original.description, project.translation_prompt as hint, project.downloads,
        translation_source(original, project.translation_prompt) as digest
      from projects project
      join project_descriptions original on original.project_id = project.id and original.is_original
      cross join unnest(${[...languages]}::text[]) as language (code)
      where project.visibility = 'public' and project.taken_down_at is null
        and exists (
          select from releases where releases.project_id = project.id and state = 'published' and release_type <> 'private'
        )
        and not exists (
          select from project_descriptions written
          where written.project_id = project.id and written.language = language.code
        )
    )
    select wanted.project_id, "to", "from", wanted.short_description, wanted.description, hint, digest
    from wanted left join project_translations made on made.project_id = wanted.project_id and made.language = wanted.to
    where made.project_id is null or made.source_digest <> wanted.digest
      or (made.state = 'pending' and made.next_try_at <= now())
    order by made.attempts nulls first, downloads desc, wanted.project_id, "to" limit 1`.execute(db)
  return rows[0]
}

/** @returns whether there was room: today's characters stay within the bound */
export async function spend(db: Handle, characters: number, most: number): Promise<boolean> {
  if (characters > most) return false
  const { rows } = await sql<{ characters: number }>`
    insert into translation_spending (day, characters) values ((now() at time zone 'UTC')::date, ${characters})
    on conflict (day) do update set characters = translation_spending.characters + excluded.characters
      where translation_spending.characters + excluded.characters <= ${most}
    returning characters`.execute(db)
  return rows.length > 0
}

export async function deleteSpendingBefore(db: Handle, days: number): Promise<void> {
  await sql`delete from translation_spending where day < (now() at time zone 'UTC')::date - ${days}::integer`.execute(
    db,
  )
}

type Key = { projectId: string; language: string; digest: string }

export async function writeTranslation(
  db: Handle,
  { projectId, language, digest }: Key,
  texts: { short_description: string; description: string; html: string },
): Promise<void> {
  const row = { source_digest: digest, state: 'done', attempts: 0, made_at: new Date(), ...texts }
  await db
    .insertInto('project_translations')
    .values({ project_id: projectId, language, ...row })
    .onConflict((conflict) => conflict.columns(['project_id', 'language']).doUpdateSet(row))
    .execute()
}

/**
 * A try that has failed. The waits grow from ten minutes to a day; after the last one it is left until the author changes
 * the text. What was translated before is of another text, and goes.
 */
export async function noteFailure(
  db: Handle,
  { projectId, language, digest }: Key,
  { seconds, mostTries }: { seconds: number | null; mostTries: number },
): Promise<void> {
  await sql`
    insert into project_translations as made (project_id, language, source_digest, state, attempts, next_try_at)
    values (${projectId}, ${language}, ${digest}, 'pending', 1, now() + make_interval(secs => ${seconds ?? 600}))
    on conflict (project_id, language) do update set
      source_digest = excluded.source_digest, short_description = null, description = null, html = null, made_at = null,
      attempts = case when made.source_digest = excluded.source_digest then made.attempts + 1 else 1 end,
      state = case when made.source_digest = excluded.source_digest and made.attempts + 1 >= ${mostTries}
        then 'failed' else 'pending' end,
      next_try_at = now() + make_interval(secs => greatest(${seconds ?? 0}::float, least(86400, 600 * power(2, made.attempts))))
  `.execute(db)
}
