/** Who reaches files over SFTP, with real boxes and OpenSSH: how they get in, and that it ends with their right. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createSshKey, deleteSshKey } from '@wakestone/contract/accounts/ssh-keys-routes'
import { changeRemoteFiles, deleteRemoteFilesToken, getRemoteFiles } from '@wakestone/contract/servers/remotefs-routes'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf } from '../support/outcome.ts'
import { shareServer } from '../support/servers.ts'
import {
  type Access,
  makeToken,
  openClientFolder,
  rentAsleep,
  runProgram,
  sftp,
  type SftpApi,
  startSftpApi,
} from '../support/sftp.ts'

vi.setConfig({ testTimeout: 60_000 })

let api: SftpApi
let owner: Caller
let serverId: string
let token: { username: string; password: string }
const client = openClientFolder()
const put = (...path: string[]) => join(client.folder, ...path)

beforeAll(async () => {
  api = await startSftpApi()
  owner = await api.signUp()
  serverId = await rentAsleep(api, owner)
  token = await makeToken(owner, serverId)
}, 120_000)
// Every tester has the same address.
beforeEach(async () => void (await api.context.database.pool.query('delete from login_failures')))
afterAll(async () => {
  client.close()
  await api?.close()
})

const isIn = async (access: Access) => (await sftp(client, api, access, 'pwd\n')).out.includes('/data')

/** A session of OpenSSH that stays. */
async function stay(access: Access): Promise<{ child: ChildProcess; ended: Promise<unknown> }> {
  const { args, env } = client.openSsh(access, api.port)
  const child = spawn('sftp', [...args, `${access.username}@127.0.0.1`], {
    env: { ...process.env, ...env },
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  child.stdin.on('error', () => {})
  child.stdin.write('pwd\n')
  // It notices that it has lost its connection when it is told to do something.
  const working = setInterval(() => child.stdin.write('ls nothing\n'), 100)
  child.once('exit', () => clearInterval(working))
  await new Promise<void>((resolve, reject) => {
    let heard = ''
    child.stdout.on('data', (text: Buffer) => (heard += text.toString()).includes('/data') && resolve())
    child.once('exit', () => reject(new Error(`no session: ${heard}`)))
  })
  return { child, ended }
}
/** Told, and not found by a look now and then, which comes every 20 seconds. */
const soon = (ended: Promise<unknown>) =>
  Promise.race([ended.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 8_000).unref())])

describe('who gets in', () => {
  test.runIf(isLong)('by a password for that server only, until another is made or it is removed', async () => {
    const other = await rentAsleep(api, owner)
    const server = await owner.call(getRemoteFiles, { params: { id: other } })
    expect(server).toMatchObject({ password_created_at: null, keys_only: false, username: expect.any(String) })
    expect(server.host_keys.map(({ algorithm }) => algorithm)).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256'])
    expect(await isIn({ username: server.username, password: token.password })).toBe(false)
    const made = await makeToken(owner, other)
    expect(await isIn(made)).toBe(true)
    expect(await isIn({ ...made, username: `${owner.user.username.toUpperCase()}.${other}` })).toBe(true)
    const again = await makeToken(owner, other)
    expect([await isIn(made), await isIn(again)]).toEqual([false, true])
    await owner.call(deleteRemoteFilesToken, { params: { id: other } })
    expect(await isIn(again)).toBe(false)
    for (const username of [
      '',
      'nobody',
      `nobody.${other}`,
      `${owner.user.username}.nowhere`,
      '.',
      `${owner.user.username}.`,
    ])
      expect(await isIn({ username: username || '.', password: made.password })).toBe(false)
  })

  test('by keys of the account, and by them alone where that is wanted', async () => {
    const keys = await Promise.all(
      ['ed25519', 'ecdsa', 'rsa'].map(async (kind) => {
        const keyFile = put(`key-${kind}`)
        await runProgram(['ssh-keygen', '-q', '-t', kind, '-N', '', '-C', 'mine', '-f', keyFile])
        const body = { name: kind, public_key: readFileSync(`${keyFile}.pub`, 'utf8') }
        expect(
          await outcomeOf(
            owner.call(createSshKey, {
              params: { id: owner.user.id },
              body: { name: 'x', public_key: readFileSync(keyFile, 'utf8') },
            }),
          ),
        ).toBe('invalid_request')
        const key = await owner.call(createSshKey, { params: { id: owner.user.id }, body })
        expect(await outcomeOf(owner.call(createSshKey, { params: { id: owner.user.id }, body }))).toBe(
          'resource_already_exists',
        )
        return { keyFile, key }
      }),
    )
    for (const { keyFile, key } of keys) {
      const { out } = await runProgram(['ssh-keygen', '-l', '-f', keyFile])
      expect(out).toContain(key.fingerprint)
      expect(await isIn({ username: token.username, keyFile })).toBe(true)
    }
    const foreign = put('foreign')
    await runProgram(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', foreign])
    expect(await isIn({ username: token.username, keyFile: foreign })).toBe(false)

    const params = { id: serverId }
    const byPassword = await stay(token)
    const [{ keyFile, key }] = keys as [(typeof keys)[0]]
    const byKey = await stay({ username: token.username, keyFile })
    await owner.call(changeRemoteFiles, { params, body: { keys_only: true } })
    expect(await soon(byPassword.ended)).toBe(true)
    expect([await isIn(token), await isIn({ username: token.username, keyFile })]).toEqual([false, true])
    await owner.call(deleteSshKey, { params: { id: owner.user.id, keyId: key.id } })
    expect(await soon(byKey.ended)).toBe(true)
    expect(await isIn({ username: token.username, keyFile })).toBe(false)
    await owner.call(changeRemoteFiles, { params, body: { keys_only: false } })
  })

  test('guesses wait longer and longer, and lock nobody else out', async () => {
    const victim = await api.signUp()
    const id = await rentAsleep(api, victim)
    const made = await makeToken(victim, id)
    for (let tries = 0; tries < 7; tries++) expect(await isIn({ ...made, password: `wrong${tries}` })).toBe(false)
    expect(await isIn(made)).toBe(false)
    expect(await isIn(token)).toBe(true)
  })
})

describe('ends at once', () => {
  async function shared() {
    const guest = await api.signUp()
    const capabilities = { 'server.manage': true, 'server.manage.read': true }
    await shareServer(api.context, { serverId, userId: guest.user.id, capabilities })
    const access = await makeToken(guest, serverId)
    return { guest, access, session: await stay(access) }
  }

  test('when a guest loses the right', async () => {
    const { guest, access, session } = await shared()
    const { pool } = api.context.database
    const began = performance.now()
    await pool.query(`delete from user_capabilities where user_id = $1 and name = 'server.manage'`, [guest.user.id])
    expect(await soon(session.ended)).toBe(true)
    // With the tenth of a second after which the client notices; a machine that is busy may take longer.
    const milliseconds = performance.now() - began
    if (process.env['TEST_LOG']) console.log(`a session ended after ${milliseconds.toFixed()} ms`)
    expect(milliseconds).toBeLessThan(isLong ? 1_000 : 5_000)
    expect(await isIn(access)).toBe(false)
  })

  test.runIf(isLong)(
    'when another password is made, the account is suspended, its password changes, or the server is gone',
    async () => {
      const { pool } = api.context.database
      const one = await shared()
      await makeToken(one.guest, serverId)
      expect(await soon(one.session.ended)).toBe(true)
      const two = await shared()
      await pool.query(`update users set suspended_at = now(), suspended_reason = 'why' where id = $1`, [
        two.guest.user.id,
      ])
      expect(await soon(two.session.ended)).toBe(true)
      const three = await shared()
      await pool.query(`update users set password_hash = 'another' where id = $1`, [three.guest.user.id])
      expect(await soon(three.session.ended)).toBe(true)
      expect(await isIn(three.access)).toBe(false)
      const id = await rentAsleep(api, owner)
      const session = await stay(await makeToken(owner, id))
      await pool.query('update servers set deleted_at = now() where id = $1', [id])
      expect(await soon(session.ended)).toBe(true)
    },
  )
})

test('what is no SSH ends with its connection, and others go on', async () => {
  for (const bytes of [
    '',
    'GET / HTTP/1.1\r\n\r\n',
    'SSH-1.0-old\r\n',
    `SSH-2.0-x\r\n${'\0'.repeat(64)}`,
    `SSH-2.0-x\r\n${'\xff'.repeat(100_000)}`,
  ]) {
    const socket = connect(api.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.end(bytes, 'latin1')
    socket.resume()
    await once(socket, 'close')
  }
  expect(await isIn(token)).toBe(true)
})
