/**
 * Who comes over SFTP, and whether they still may. The user name is that of an account, a dot, and a server: the first part
 * of its address, or its id where several zones have that name.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { SftpSession } from '@wakestone/contract/servers/remotefs'
import { idSchema } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { type Guesser, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { findAccount } from '#src/features/accounts/sign-in/service.ts'
import { findSshKey } from '#src/features/accounts/ssh-keys/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { networkOf } from '#src/features/ground/limits/service.ts'
import type { ServerResource } from '#src/features/servers/servers/service.ts'
import { checkServerAccess } from '#src/http/access.ts'
import { findPassword, findServersNamed, hasProof, isKeysOnly, touchProof } from './repo.ts'

type Deps = Pick<Context, 'db'>

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 24 characters of 31, 118 bits: nobody guesses that, so a fast hash will do. */
export const makePassword = () => Array.from({ length: 24 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
export const hashPassword = (password: string) => createHash('sha256').update(password).digest()
const nobodys = hashPassword('')

type Attempt = {
  username: string
  address: string
  proof: { password: string } | { key: string; isProven: boolean }
}

/**
 * @throws DomainError `unauthorized` whatever is wrong: nobody learns which accounts and servers there are;
 *   `too_many_requests`
 */
export async function signIn(deps: Deps, { username, address, proof }: Attempt): Promise<SftpSession> {
  const dot = username.lastIndexOf('.')
  const [name, server] = [username.slice(0, dot), username.slice(dot + 1).toLowerCase()]
  const known = dot > 0 && server !== '' ? { name, server } : { name: '', server: '' }
  const look = () => find(deps, known, proof)
  // A client offers every key that it has: those that are only offered count by address, and for little.
  const session = await tryGuess(deps.db, 'password' in proof ? guesserOf(known, address) : offering(address), look)
  if (session === undefined) throw new DomainError('unauthorized')
  if ('password' in proof || proof.isProven) await noteLogin(deps, session, address)
  return session
}

const guesserOf = ({ name, server }: { name: string; server: string }, address: string): Guesser => [
  { subject: `sftp-${server.slice(0, 64)}:${name.slice(0, 64).toLowerCase()}`, free: 6 },
  { subject: `sftp-ip:${networkOf(address)}`, free: 20 },
]
const offering = (address: string): Guesser => [{ subject: `sftp-key-ip:${networkOf(address)}`, free: 200 }]

async function find(
  { db }: Deps,
  { name, server }: { name: string; server: string },
  proof: Attempt['proof'],
): Promise<SftpSession | undefined> {
  const account = await findAccount(db, { username: name })
  if (account === undefined) return undefined
  const { userId } = account
  const found: SftpSession[] = []
  for (const serverId of idSchema.safeParse(server).success ? [server] : await findServersNamed(db, server)) {
    if ((await mayManage({ db }, account, serverId)) === undefined) continue
    const id =
      'password' in proof
        ? await checkPassword({ db }, { serverId, userId }, proof.password)
        : await findSshKey(db, userId, Buffer.from(proof.key, 'base64'))
    if (id !== undefined)
      found.push({ serverId, userId, proof: { kind: 'password' in proof ? 'password' : 'key', id } })
  }
  return found.length === 1 ? found[0] : undefined
}

async function checkPassword({ db }: Deps, holder: { serverId: string; userId: string }, given: string) {
  if (await isKeysOnly(db, holder.serverId)) return undefined
  const known = await findPassword(db, holder)
  const isRight = timingSafeEqual(hashPassword(given), known?.password_hash ?? nobodys)
  return isRight ? known?.id : undefined
}

async function noteLogin({ db }: Deps, { userId, serverId, proof }: SftpSession, address: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await touchProof(trx, proof, address))
      await recordServerEvent(trx, serverId, {
        action: 'SERVER_SFTP_LOGIN',
        data: { executor: userId, ip: address },
      })
  })
}

/** The server of a session for as long as it may go on; undefined when it may not. */
export async function findStanding(deps: Deps, session: SftpSession): Promise<ServerResource | undefined> {
  const { userId, serverId, proof } = session
  const account = await findAccount(deps.db, { id: userId })
  if (account === undefined || !(await hasProof(deps.db, { serverId, userId }, proof))) return undefined
  if (proof.kind === 'password' && (await isKeysOnly(deps.db, serverId))) return undefined
  return mayManage(deps, account, serverId)
}

async function mayManage(
  { db }: Deps,
  account: Parameters<typeof checkServerAccess>[1],
  serverId: string,
): Promise<ServerResource | undefined> {
  try {
    return await checkServerAccess({ db }, account, serverId, 'server.manage')
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}
