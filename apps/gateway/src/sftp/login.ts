/** Who somebody is that connects: by a password made for one server, or by an SSH key of their account. */
import type { SftpSession } from '@wakestone/contract/servers/remotefs'
import type { Logger } from '@wakestone/kit/logger'
import ssh2, { type AuthContext, type AuthenticationType, type PublicKeyAuthContext } from 'ssh2'
import { type ApiCalls, Refused } from './api-calls.ts'

/** Wrong passwords, and keys that are none of the account's, on one connection. */
const TRIES = { password: 4, key: 20 }
const METHODS: AuthenticationType[] = ['publickey', 'password', 'keyboard-interactive']

export function createLogin({ api, address, logger }: { api: ApiCalls; address: string; logger: Logger }) {
  const tries = { password: 0, key: 0 }
  /** Clients try the same password by both methods that take one. */
  let wrong = ''

  async function ask(login: Parameters<ApiCalls['login']>[0]): Promise<SftpSession | undefined> {
    try {
      return await api.login(login)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      logger.info({ reason: error.code, address }, 'nobody is let in over SFTP')
      return undefined
    }
  }

  function byPassword(username: string, password: string) {
    return ask({ username: username.slice(0, 200), address, proof: { password: password.slice(0, 1024) } })
  }

  async function byKey(context: PublicKeyAuthContext): Promise<SftpSession | undefined> {
    const key = context.key.data.toString('base64')
    if (key.length > 4096) return undefined
    const isProven = context.signature !== undefined
    if (isProven && !isSigned(context)) return undefined
    return ask({ username: context.username.slice(0, 200), address, proof: { key, isProven } })
  }

  /**
   * Answers one try.
   * @returns the session once somebody is let in; `over` when there were too many tries
   */
  return async (context: AuthContext): Promise<SftpSession | 'over' | undefined> => {
    if (context.method === 'publickey') {
      if (++tries.key > TRIES.key) return 'over'
      const session = await byKey(context)
      if (session === undefined) return void context.reject(METHODS)
      context.accept() // without a signature: that it may sign
      return context.signature === undefined ? undefined : session
    }
    if (context.method === 'password' || context.method === 'keyboard-interactive') {
      if (++tries.password > TRIES.password) return 'over'
      const password = context.method === 'password' ? context.password : await prompt(context)
      const given = JSON.stringify([context.username, password])
      const session =
        password === undefined || given === wrong ? undefined : await byPassword(context.username, password)
      if (session === undefined) {
        wrong = given
        return void context.reject(METHODS)
      }
      context.accept()
      return session
    }
    context.reject(METHODS)
    return undefined
  }
}

function prompt(context: Extract<AuthContext, { method: 'keyboard-interactive' }>): Promise<string | undefined> {
  return new Promise((resolve) => {
    context.on('abort', () => resolve(undefined))
    context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => resolve(answers[0]))
  })
}

/** Whether whoever offers a key has it. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  if (signature === undefined || blob === undefined || key.data.length < 4) return false
  // The algorithm of a signature may be another name than that of its key (RFC 8332).
  const name = key.data.subarray(4, 4 + key.data.readUInt32BE(0)).toString('latin1')
  const parsed = ssh2.utils.parseKey(`${name} ${key.data.toString('base64')}`)
  if (parsed instanceof Error) return false
  const [one] = Array.isArray(parsed) ? parsed : [parsed]
  return one?.verify(blob, signature, hashAlgo) === true
}
