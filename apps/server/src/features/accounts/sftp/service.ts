/** How somebody reaches the files of a server over SFTP. */
import type { RemoteFiles } from '@wakestone/contract/servers/remotefs'
import { publicUrl } from '@wakestone/kit/settings'
import { sshHostKeys } from '@wakestone/kit/ssh-host-keys'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { hashPassword, makePassword } from './login.ts'
import { findPassword, findServersNamed, isKeysOnly, removePassword, replacePassword, writeKeysOnly } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'secrets'>
type Who = { userId: string; username: string }

export async function describeRemoteFiles(
  { db, settings, secrets }: Deps,
  server: ServerRow,
  user: Who,
): Promise<RemoteFiles> {
  const [username, password, keysOnly] = await Promise.all([
    usernameOf({ db }, server, user),
    findPassword(db, { serverId: server.id, userId: user.userId }),
    isKeysOnly(db, server.id),
  ])
  return {
    host: new URL(publicUrl(settings)).hostname,
    port: settings.SFTP_PORT,
    username,
    password_created_at: password?.created_at.toISOString() ?? null,
    keys_only: keysOnly,
    host_keys: sshHostKeys(secrets.sftpHost).map(({ algorithm, fingerprint }) => ({ algorithm, fingerprint })),
  }
}

async function usernameOf({ db }: Pick<Deps, 'db'>, { id, domains }: ServerRow, { username }: Who): Promise<string> {
  const subdomain = domains[0]?.sub_domain
  const isOnly = subdomain !== undefined && (await findServersNamed(db, subdomain)).length === 1
  return `${username}.${isOnly ? subdomain : id}`
}

/** @returns the one answer that holds it */
export async function createPassword({ db }: Pick<Deps, 'db'>, server: ServerRow, user: Who) {
  const password = makePassword()
  const holder = { serverId: server.id, userId: user.userId }
  const createdAt = await inTransaction(db, async (trx) => {
    await recordServerEvent(trx, server.id, { action: 'SERVER_SFTP_PASSWORD', data: { executor: user.userId } })
    return replacePassword(trx, holder, hashPassword(password))
  })
  return { username: await usernameOf({ db }, server, user), password, created_at: createdAt.toISOString() }
}

export async function deletePassword({ db }: Pick<Deps, 'db'>, server: ServerRow, { userId }: Who): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await removePassword(trx, { serverId: server.id, userId }))
      await recordServerEvent(trx, server.id, { action: 'SERVER_SFTP_PASSWORD_REMOVED', data: { executor: userId } })
  })
}

export async function setKeysOnly(
  { db }: Pick<Deps, 'db'>,
  server: ServerRow,
  { userId, value }: { userId: string; value: boolean },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await writeKeysOnly(trx, server.id, value)
    await recordServerEvent(trx, server.id, { action: 'SERVER_SFTP_KEYS_ONLY', data: { executor: userId, value } })
  })
}
