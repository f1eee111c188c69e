import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { PackageLoader, ProjectSort, ReleaseType } from '@wakestone/contract/marketplace/values'
import type { Handle } from '#src/db/client.ts'

export type Filter = {
  /** A text of `to_tsquery`; undefined for everything. */
  query: string | undefined
  /** The words as they are typed, for names that begin so. */
  typed: string
  facets: readonly string[]
  /** Labels of a loader and a version, as `paper:1.21.4`; one release has both of one of them. */
  compat: readonly string[] | undefined
  hasRelease: boolean
}

/** Best ones that are looked at in more detail; nobody turns more pages than that. */
const candidates = 400

/** As `compat_code` in the database. */
const compatCode = (label: string): number => createHash('md5').update(label).digest().readInt32BE(0)

function conditionsOf({ query, facets, compat, hasRelease }: Filter): RawBuilder<unknown> {
  const conditions = [
    ...(hasRelease ? [sql`has_release`] : []),
    ...(query === undefined ? [] : [sql`words @@ to_tsquery('simple', ${query})`]),
    ...(facets.length === 0 ? [] : [sql`facets @> ${[...facets]}::text[]`]),
    ...(compat === undefined ? [] : [sql`compat && ${compat.map(compatCode)}::integer[]`]),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

const columns = { downloads: 'downloads', follows: 'follows', updated: 'updated_at', newest: 'released_at' } as const

/** So many of an index's first ones are looked through before all that fit are gathered. */
const lookedThrough = 2000

/**
 * In the order of one column. What fits many is found among the first ones of that column's index, and what fits few is
 * gathered by the other indexes and then sorted: left to itself the database takes one way for the other at times, and
 * reads everything. `after` is the last one seen.
 */
export async function selectSorted(
  db: Handle,
  filter: Filter,
  { sort, after, limit }: { sort: keyof typeof columns; after: string | undefined; limit: number },
): Promise<string[]> {
  const column = sql.ref(columns[sort])
  const since =
    after === undefined
      ? sql`true`
      : sql`(${column}, project_id) < (select ${column}, project_id from project_documents where project_id = ${after})`
  const first = await sql<{ id: string }>`
    select project_id as id from (
      select * from project_documents where ${since} order by ${column} desc, project_id desc limit ${lookedThrough}
    ) looked where ${conditionsOf(filter)} order by ${column} desc, project_id desc limit ${limit}`.execute(db)
  if (first.rows.length === limit) return first.rows.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    with fitting as materialized (
      select project_id, ${column} from project_documents where ${conditionsOf(filter)} and ${since}
    )
    select project_id as id from fitting order by ${column} desc, project_id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The best first: names that are or begin with what was typed, then where the words stand, then what many use. Of what
 * many documents have only the most used ones are compared: that costs as much for a letter as for a whole name.
 * @param filter.isBroad its last word is only begun, and too short to be looked up
 */
export async function selectRelevant(
  db: Handle,
  filter: Filter & { query: string; isBroad: boolean },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const wanted = conditionsOf(filter)
  const prefix = `${filter.typed.replace(/[\\%_]/g, '\\$&')}%`
  const gathered = filter.isBroad
    ? sql`select project_id, downloads from (
        select * from project_documents order by downloads desc, project_id desc limit ${lookedThrough}
      ) looked where ${wanted}`
    : sql`select project_id, downloads from project_documents where ${wanted}`
  const { rows } = await sql<{ id: string }>`
    with gathered as materialized (${gathered}), found as (
      select project_id, name, words, downloads from project_documents where project_id in (
        (select project_id from gathered order by downloads desc, project_id desc limit ${candidates})
        union
        (select project_id from (
          select * from project_documents where name like ${prefix} order by name using ~<~ limit ${candidates}
        ) beginning where ${wanted} order by length(name), downloads desc limit 100)
      )
    ), ranked as (
      select project_id, row_number() over (order by
        case when name = ${filter.typed} then 0 when name like ${prefix} then 1 else 2 end,
        ts_rank('{0, 0.2, 0.4, 1}', words, to_tsquery('simple', ${filter.query})) * (1 + ln(1 + downloads) / 4) desc,
        downloads desc, project_id desc) as place
      from found
    )
    select project_id as id from ranked
    where place > coalesce((select place from ranked where project_id = ${after ?? null}::uuid), 0)
    order by place limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counting stops here; the answer then says "at least". */
const counted = 3000

/** How many of what fits have each of these. */
export async function countFacets(
  db: Handle,
  filter: Filter,
  { column, values }: { column: 'facets' | 'compat'; values: readonly string[] },
): Promise<{ counts: Map<string, number>; isCut: boolean }> {
  const held = column === 'facets' ? sql`${[...values]}::text[]` : sql`${values.map(compatCode)}::integer[]`
  const { rows } = await sql<{ place: number | null; count: number }>`
    with fitting as materialized (
      select ${sql.ref(column)} as held from project_documents where ${conditionsOf(filter)} limit ${counted}
    )
    select array_position(${held}, value) as place, count(*)::integer as count
    from fitting, unnest(held) as value where value = any(${held}) group by value
    union all select null, count(*)::integer from fitting`.execute(db)
  return {
    counts: new Map(
      rows.flatMap(({ place, count }) => (place === null ? [] : [[values[place - 1] ?? '', count] as const])),
    ),
    isCut: (rows.find(({ place }) => place === null)?.count ?? 0) >= counted,
  }
}

/** Whether there is such a word, or one that begins so. */
export async function isKnownWord(db: Handle, word: string, { asPrefix }: { asPrefix: boolean }): Promise<boolean> {
  const condition = asPrefix ? sql`word like ${`${word}%`}` : sql`word = ${word}`
  const { rows } = await sql`select from project_words where ${condition} limit 1`.execute(db)
  return rows.length > 0
}

/** Words at most one edit apart, plus a few false matches: callers compare distances. */
export async function selectWordsOneLetterApart(db: Handle, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from project_words
    where length(word) <= 8 and without_one_letter(word) && without_one_letter(${word}) order by word limit 100`.execute(
    db,
  )
  return rows.map((row) => row.word)
}

/** Words that share most of their letters, the most alike first. */
export async function selectSimilarWords(db: Handle, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from project_words where word % ${word} and length(word) between ${word.length - 2} and ${word.length + 2}
    order by similarity(word, ${word}) desc, word limit 20`.execute(db)
  return rows.map((row) => row.word)
}

/** Projects of a user. Those that not everybody sees only for `ofCaller`: what the caller is a member of, or all. */
export async function selectOfMember(
  db: Handle,
  {
    userId,
    callerId,
    isModerator,
    filter: { facets, hasRelease, typed },
    after,
    limit,
  }: {
    userId: string
    callerId: string | undefined
    isModerator: boolean
    filter: Pick<Filter, 'facets' | 'hasRelease' | 'typed'>
    after: string | undefined
    limit: number
  },
): Promise<string[]> {
  const isShown = sql`(project.visibility = 'public' and project.taken_down_at is null)`
  const isOwn = sql`exists (select from project_members own where own.project_id = project.id and own.user_id = ${callerId ?? null}::uuid)`
  const { rows } = await sql<{ id: string }>`
    select project.id from projects project
    join project_members member on member.project_id = project.id and member.user_id = ${userId}
    where (${isModerator} or ${isShown} or ${isOwn})
      and (not ${hasRelease} or project.released_at is not null)
      and array[project.project_type] || project.game_tags || project.labels @> ${[...facets]}::text[]
      and (${typed} = '' or plain_words(project.name) like ${`%${typed.replace(/[\\%_]/g, '\\$&')}%`})
      and (${after ?? null}::uuid is null or project.id < ${after ?? null}::uuid)
    order by project.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those followed last first; of what the caller may not see any more nothing. */
export async function selectFollowed(
  db: Handle,
  { userId, after, limit }: { userId: string; after: string | undefined; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select project.id from project_follows follow join projects project on project.id = follow.project_id
    where follow.user_id = ${userId} and project.taken_down_at is null and (project.visibility <> 'private'
      or exists (select from project_members member where member.project_id = project.id and member.user_id = ${userId}))
      and (${after ?? null}::uuid is null or (follow.created_at, project.id) <
        (select created_at, project_id from project_follows where user_id = ${userId} and project_id = ${after ?? null}::uuid))
    order by follow.created_at desc, project.id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type FollowedRelease = {
  id: string
  project_id: string
  version: string
  release_type: ReleaseType
  published_at: Date
  game_versions: string[]
  loaders: PackageLoader[]
  html: string
}

/** Newest first; of what the caller may not see any more nothing. */
export async function selectFollowedReleases(
  db: Handle,
  { userId, after, limit }: { userId: string; after: string | undefined; limit: number },
): Promise<FollowedRelease[]> {
  const { rows } = await sql<FollowedRelease>`
    select release.id, release.project_id, version, release_type, published_at, game_versions, loaders, html
    from project_follows follow
    join projects project on project.id = follow.project_id
    cross join lateral (
      select * from releases where project_id = project.id and state = 'published' and release_type <> 'private'
        and archived_at is null and (${after ?? null}::text is null or id < ${after ?? null})
      order by id desc limit ${limit}
    ) release
    where follow.user_id = ${userId} and project.taken_down_at is null and (project.visibility <> 'private'
      or exists (select from project_members member where member.project_id = project.id and member.user_id = ${userId}))
    order by release.id desc limit ${limit}`.execute(db)
  return rows
}

export const isColumnSort = (sort: ProjectSort): sort is Exclude<ProjectSort, 'relevance'> => sort !== 'relevance'
