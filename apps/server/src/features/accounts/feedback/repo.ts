/** What people have answered, and when they were asked. */
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { feedbackQuery } from '@wakestone/contract/accounts/feedback'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Feedback } from '#src/db/types.gen.ts'

export type FeedbackRow = Omit<Selectable<Feedback>, 'language'> & { language: Language; username: string | null }

export async function insertFeedback(
  trx: Transaction,
  row: {
    userId: string
    rate: number
    causes: readonly string[]
    advantages: readonly string[]
    comment: string
    age: string | undefined
    language: Language
    serverId: string | undefined
    mayPublish: boolean
  },
): Promise<void> {
  await trx
    .insertInto('feedback')
    .values({
      user_id: row.userId,
      rate: row.rate,
      causes: [...row.causes],
      advantages: [...row.advantages],
      comment: row.comment,
      age: row.age ?? null,
      language: row.language,
      server_id: row.serverId ?? null,
      may_publish: row.mayPublish,
    })
    .execute()
}

export async function noteAsked(db: Handle, userId: string): Promise<void> {
  await db
    .insertInto('survey_asks')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ asked_at: sql`now()` }))
    .execute()
}

/** What tells whether it is a good moment. */
export function findMoment(
  db: Handle,
  userId: string,
): Promise<{ asked_at: Date | null; answered_at: Date | null; created_at: Date; has_used: boolean } | undefined> {
  return (
    db
      .selectFrom('users')
      .leftJoin('survey_asks', 'survey_asks.user_id', 'users.id')
      .select(['survey_asks.asked_at', 'users.created_at'])
      .select(({ selectFrom }) =>
        selectFrom('feedback')
          .select(({ fn }) => fn.max('feedback.created_at').as('at'))
          .whereRef('feedback.user_id', '=', 'users.id')
          .as('answered_at'),
      )
      // Who has had a server up for as long as an evening has something to say.
      .select(
        sql<boolean>`exists (select from servers join server_hours on server_hours.server_id = servers.id
        where servers.owner_id = users.id and servers.crashed is not true
        group by servers.id having count(*) >= 3)`.as('has_used'),
      )
      .where('users.id', '=', userId)
      .executeTakeFirst()
  )
}

type Span = { from: Date | undefined; until: Date | undefined }
const inSpan = ({ from, until }: Span) =>
  sql<boolean>`(${from ?? null}::timestamptz is null or feedback.created_at >= ${from ?? null})
    and (${until ?? null}::timestamptz is null or feedback.created_at < ${until ?? null})`

export async function countRates(db: Handle, span: Span): Promise<{ rate: number; count: number }[]> {
  return db
    .selectFrom('feedback')
    .select(['rate', ({ fn }) => fn.countAll<number>().as('count')])
    .where(inSpan(span))
    .groupBy('rate')
    .execute()
}

export async function countMonths(
  db: Handle,
  span: Span,
): Promise<{ month: string; count: number; promoters: number; detractors: number }[]> {
  const { rows } = await sql<{ month: string; count: number; promoters: number; detractors: number }>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count,
      count(*) filter (where rate >= 9) as promoters, count(*) filter (where rate <= 6) as detractors
    from feedback where ${inSpan(span)} group by 1 order by 1`.execute(db)
  return rows
}

export async function countNamed(
  db: Handle,
  span: Span,
  what: 'causes' | 'advantages' | 'age',
): Promise<Map<string, number>> {
  const { rows } = await (
    what === 'age'
      ? sql<{ name: string; count: number }>`select age as name, count(*) as count from feedback
          where age is not null and ${inSpan(span)} group by 1`
      : sql<{ name: string; count: number }>`select named.name, count(*) as count
          from feedback cross join unnest(${sql.ref(`feedback.${what}`)}) as named(name)
          where ${inSpan(span)} group by 1`
  ).execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

export async function countSatisfaction(db: Handle, { from, until }: Span): Promise<{ good: number; bad: number }> {
  const { rows } = await sql<{ good: number; bad: number }>`
    select count(*) filter (where satisfaction = 'good') as good, count(*) filter (where satisfaction = 'bad') as bad
    from support_tickets where (${from ?? null}::timestamptz is null or satisfied_at >= ${from ?? null})
      and (${until ?? null}::timestamptz is null or satisfied_at < ${until ?? null})`.execute(db)
  return rows[0] ?? { good: 0, bad: 0 }
}

const named = (db: Handle) =>
  db
    .selectFrom('feedback')
    .leftJoin('users', 'users.id', 'feedback.user_id')
    .selectAll('feedback')
    .select('users.username')

const rateRanges = { promoters: [9, 10], passives: [7, 8], detractors: [0, 6] } as const

export async function selectFeedback(
  db: Handle,
  {
    span,
    kind,
    commented,
    offset,
    limit,
  }: { span: Span } & Pick<z.output<typeof feedbackQuery>, 'kind' | 'commented' | 'offset' | 'limit'>,
): Promise<{ rows: FeedbackRow[]; count: number }> {
  const [least, most] = kind === undefined ? [0, 10] : rateRanges[kind]
  const found = named(db)
    .where(inSpan(span))
    .where('feedback.rate', '>=', least)
    .where('feedback.rate', '<=', most)
    .$if(commented === '1', (query) => query.where('feedback.comment', '!=', ''))
  const [rows, { count }] = await Promise.all([
    found.orderBy('feedback.created_at', 'desc').orderBy('feedback.id', 'desc').limit(limit).offset(offset).execute(),
    found
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rows as FeedbackRow[], count }
}

export async function findFeedback(db: Handle, id: string): Promise<FeedbackRow | undefined> {
  return (await named(db).where('feedback.id', '=', id).executeTakeFirst()) as FeedbackRow | undefined
}

export async function setPublished(db: Handle, id: string, published: boolean): Promise<void> {
  await db
    .updateTable('feedback')
    .set({ published_at: published ? sql`coalesce(published_at, now())` : null })
    .where('id', '=', id)
    .execute()
}

/** Of accounts that are there: nobody else's name is shown. */
export async function selectPublished(db: Handle, language: Language | undefined): Promise<FeedbackRow[]> {
  const rows = await named(db)
    .where('feedback.published_at', 'is not', null)
    .where('users.destroyed_at', 'is', null)
    .where('users.username', 'is not', null)
    .$if(language !== undefined, (query) => query.where('feedback.language', '=', language ?? ''))
    .orderBy('feedback.published_at', 'desc')
    .limit(30)
    .execute()
  return rows as FeedbackRow[]
}
