import { type Selectable, sql } from 'kysely'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ServerInvitations } from '#src/db/types.gen.ts'

type InvitationRow = Selectable<ServerInvitations>
export type Answer = 'accepted' | 'declined' | 'withdrawn'

/** Locks a server until the transaction ends, so that of two who change who may use it one comes second. */
export function lockServer(trx: Transaction, serverId: string) {
  return trx
    .selectFrom('servers')
    .select(['id', 'name', 'owner_id'])
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type Person = {
  id: string
  username: string
  email: string
  language: string
  time_zone: string | null
  email_verified: Date | null
}

const selectPeople = (db: Handle) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language', 'time_zone', 'email_verified'])
    .where('destroyed_at', 'is', null)

export function findPerson(db: Handle, userId: string): Promise<Person | undefined> {
  return selectPeople(db).where('id', '=', userId).executeTakeFirst()
}

/** Locks an account until the transaction ends, so that what it sends is counted one after another. */
export function lockPerson(trx: Transaction, userId: string): Promise<Person | undefined> {
  return selectPeople(trx).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
}

export function findPersonByName(db: Handle, username: string): Promise<Person | undefined> {
  return selectPeople(db)
    .where((user) => user(user.fn<string>('lower', ['username']), '=', username.toLowerCase()))
    .executeTakeFirst()
}

export function findPersonByEmail(db: Handle, email: string): Promise<Person | undefined> {
  return selectPeople(db)
    .where((user) => user(user.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
}

/** What a user holds on the whole product and on one server, as of now. */
export async function findRights(
  db: Handle,
  { userId, serverId }: { userId: string; serverId: string },
): Promise<{ product: Capabilities; server: Capabilities }> {
  const rows = await db
    .selectFrom('user_capabilities')
    .select(['name', 'value', 'resource_id'])
    .where('user_id', '=', userId)
    .where((row) => row.or([row('resource_id', 'is', null), row('resource_id', '=', serverId)]))
    .execute()
  const of = (isProduct: boolean) =>
    Object.fromEntries(
      rows.filter((row) => (row.resource_id === null) === isProduct).map(({ name, value }) => [name, value]),
    ) as Capabilities
  return { product: of(true), server: of(false) }
}

/** Gives capabilities on a server beside those that are held there already. */
export async function grantOnServer(
  trx: Transaction,
  { userId, serverId, capabilities }: { userId: string; serverId: string; capabilities: readonly string[] },
): Promise<void> {
  await trx
    .insertInto('user_capabilities')
    .values(
      capabilities.map((name) => ({
        user_id: userId,
        resource_type: 'server',
        resource_id: serverId,
        name,
        value: 'true',
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'resource_id', 'name']).doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
    )
    .execute()
}

/** @returns whether there was anything to take. */
export async function takeFromServer(
  trx: Transaction,
  { userId, serverId }: { userId: string; serverId: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('user_capabilities')
    .where('user_id', '=', userId)
    .where('resource_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export type PersonRow = {
  user_id: string
  username: string
  capabilities: Capabilities
  invited_by: string | null
  since: Date | null
}

/** Everybody who holds something on a server but its owner, with the invitation they last accepted; by name. */
export async function selectServerPeople(db: Handle, serverId: string, userId?: string): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select users.id as user_id, users.username, json_object_agg(grants.name, grants.value) as capabilities,
           accepted.username as invited_by, accepted.answered_at as since
    from user_capabilities grants
      join servers on servers.id = grants.resource_id
      join users on users.id = grants.user_id
      left join lateral (
        select inviters.username, answered_at
        from server_invitations invitations join users inviters on inviters.id = invitations.invited_by
        where invitations.server_id = servers.id and invitations.user_id = users.id and answer = 'accepted'
        order by answered_at desc limit 1
      ) accepted on true
    where servers.id = ${serverId} and users.id <> servers.owner_id and users.destroyed_at is null
      and (${userId ?? null}::uuid is null or users.id = ${userId ?? null}::uuid)
    group by users.id, users.username, accepted.username, accepted.answered_at
    order by lower(users.username)`.execute(db)
  return rows
}

export type NewInvitation = {
  serverId: string
  invitedBy: string
  capabilities: readonly string[]
  language: string
  expiresAt: Date
} & ({ userId: string; email: null } | { userId: null; email: string })

export async function insertInvitation(trx: Transaction, invitation: NewInvitation): Promise<InvitationRow> {
  return trx
    .insertInto('server_invitations')
    .values({
      server_id: invitation.serverId,
      invited_by: invitation.invitedBy,
      user_id: invitation.userId,
      email: invitation.email,
      language: invitation.language,
      capabilities: [...invitation.capabilities],
      expires_at: invitation.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Invitations of a server, with who sent them and, if by name, to whom. */
const selectOpen = (db: Handle) =>
  db
    .selectFrom('server_invitations as invitations')
    .innerJoin('servers', 'servers.id', 'invitations.server_id')
    .innerJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
    .leftJoin('users as invited', 'invited.id', 'invitations.user_id')
    .select([
      'invitations.id',
      'invitations.server_id',
      'invitations.invited_by',
      'invitations.user_id',
      'invitations.email',
      'invitations.language',
      'invitations.capabilities',
      'invitations.created_at',
      'invitations.expires_at',
      'invitations.answered_at',
      'servers.name as serverName',
      'servers.owner_id as ownerId',
      'inviters.username as inviterName',
      'invited.username as invitedName',
      'invited.email as invitedEmail',
    ])
    .where('servers.deleted_at', 'is', null)
export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

export function findInvitation(db: Handle, id: string) {
  return selectOpen(db).where('invitations.id', '=', id).executeTakeFirst()
}

/** Those of a server that still wait for an answer, oldest first. */
export function selectWaitingInvitations(db: Handle, serverId: string): Promise<Invitation[]> {
  return selectOpen(db)
    .where('invitations.server_id', '=', serverId)
    .where('invitations.answered_at', 'is', null)
    .where('invitations.expires_at', '>', new Date())
    .orderBy('invitations.created_at')
    .execute()
}

/** Those that a user may answer: sent to their name, or to the address that is theirs now and proved. */
export function selectInvitationsFor(db: Handle, userId: string): Promise<Invitation[]> {
  return selectOpen(db)
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .where('invitations.answered_at', 'is', null)
    .where('invitations.expires_at', '>', new Date())
    .where('servers.owner_id', '<>', userId)
    .where((row) =>
      row.or([
        row('invitations.user_id', '=', userId),
        row.and([
          row('invitations.email', '=', row.fn<string>('lower', ['reader.email'])),
          row('reader.email_verified', 'is not', null),
        ]),
      ]),
    )
    .orderBy('invitations.created_at')
    .execute()
}

/** How many a user has sent since then, answered and withdrawn ones too. */
export async function countInvitationsSince(db: Handle, invitedBy: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('server_invitations')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('invited_by', '=', invitedBy)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Writes down an answer and forgets the address. @returns false when somebody answered before, or it is late. */
export async function answerInvitation(
  trx: Transaction,
  { id, answer, userId }: { id: string; answer: Answer; userId: string | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('server_invitations')
    .set({ answer, answered_at: new Date(), email: null, ...(userId !== undefined && { user_id: userId }) })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', new Date())
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Forgets what nobody answered in time, with the addresses in it. */
export async function dropLateInvitations(db: Handle, before: Date): Promise<void> {
  await db.deleteFrom('server_invitations').where('answered_at', 'is', null).where('expires_at', '<', before).execute()
}
