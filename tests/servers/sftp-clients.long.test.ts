/** Files over SFTP by Debian's clients, with real boxes: trees there and back, a full disk, and what is told of it. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { tellFileChanges } from '../../apps/server/src/features/servers/files/changes.ts'
import type { Caller } from '../support/api.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import {
  type Access,
  hasProgram,
  makeToken,
  openClientFolder,
  plantTree,
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
  plantTree(client)
}, 120_000)
// Every tester has the same address.
beforeEach(async () => void (await api.context.database.pool.query('delete from login_failures')))
afterAll(async () => {
  client.close()
  await api?.close()
})

const isEqual = async (one: string, other: string) => (await runProgram(['diff', '-r', one, other])).out

const lftpEnv = { LFTP_HOME: put('.lftp'), HOME: client.folder }
function lftp({ username, password = '' }: Access, commands: string): string[] {
  const ssh = `ssh -a -x -F /dev/null -o UserKnownHostsFile=${put('known')} -o StrictHostKeyChecking=no`
  const settings = `set sftp:auto-confirm yes; set net:max-retries 1; set sftp:connect-program "${ssh}"`
  return ['lftp', '-c', `${settings}; open -u ${username},${password} sftp://127.0.0.1:${api.port}; ${commands}`]
}
async function rclone({ username, password = '' }: Access): Promise<string[]> {
  const { out } = await runProgram(['rclone', 'obscure', password])
  const at = [
    '--sftp-host=127.0.0.1',
    `--sftp-port=${api.port}`,
    `--sftp-user=${username}`,
    `--sftp-pass=${out.trim()}`,
  ]
  return [...at, '--config=/dev/null', '--retries=1', '--sftp-disable-hashcheck']
}

describe('clients', () => {
  test('OpenSSH brings a tree there and back; the server sleeps on', async () => {
    const commands = `put -r ${put('tree')} .\nls -la\nget -r tree ${put('back')}\nrename tree/server.properties tree/moved\nmkdir tree/made\nrm tree/moved\n`
    const ran = await sftp(client, api, token, commands)
    expect(ran.err).toBe('')
    expect(await isEqual(put('tree'), put('back'))).toBe('')
    expect(ran.out).not.toMatch(/\.wakestone|\.trash|\.transfers/)
    expect(await api.context.fleet.cluster.inspect(serverId)).toEqual({ state: 'absent' })
  })

  test('scp works; what is not SFTP is told politely', async () => {
    const { args, env } = client.openSsh(token, api.port)
    const to = `${token.username}@127.0.0.1:copied.txt`
    expect(await runProgram(['scp', ...args, put('tree', 'server.properties'), to], { env })).toMatchObject({ code: 0 })
    const old = await runProgram(['scp', '-O', ...args, put('tree', 'server.properties'), to], { env })
    expect([old.code === 0, old.err]).toEqual([false, expect.stringContaining('SFTP only')])
    const shell = args.map((word) => (word === '-P' ? '-p' : word))
    const ssh = await runProgram(['ssh', ...shell, `${token.username}@127.0.0.1`, 'id'], { env })
    expect([ssh.code, ssh.out, ssh.err]).toEqual([1, '', expect.stringContaining('SFTP only')])
  })

  test.runIf(hasProgram('lftp'))('lftp mirrors a tree', async () => {
    const commands = `mirror -R ${put('tree')} lftp; mirror lftp ${put('lftp')}`
    expect(await runProgram(lftp(token, commands), { env: lftpEnv })).toMatchObject({ code: 0 })
    expect(await isEqual(put('tree'), put('lftp'))).toBe('')
  })

  test.runIf(hasProgram('rclone'))('rclone makes a folder equal', async () => {
    const options = await rclone(token)
    expect(await runProgram(['rclone', 'sync', ...options, put('tree'), ':sftp:rclone'])).toMatchObject({ code: 0 })
    expect(await runProgram(['rclone', 'copy', ...options, ':sftp:rclone', put('rclone')])).toMatchObject({ code: 0 })
    expect(await isEqual(put('tree'), put('rclone'))).toBe('')
    expect((await runProgram(['rclone', 'lsf', ...options, ':sftp:'])).out.split('\n')).toContain('rclone/')
  })

  test.runIf(hasProgram('sshfs') && existsSync('/dev/fuse'))('sshfs mounts a server’s files', async () => {
    const { args, env } = client.openSsh(token, api.port)
    const options = args.filter((word) => word !== '-q').flatMap((word) => (word === '-P' ? '-p' : word))
    mkdirSync(put('mount'))
    const mounted = await runProgram(['sshfs', ...options, `${token.username}@127.0.0.1:`, put('mount')], { env })
    expect(mounted).toMatchObject({ code: 0 })
    try {
      // By other processes: this one serves what they wait for.
      expect(await runProgram(['cp', '-r', put('tree'), put('mount', 'sshfs')])).toMatchObject({ code: 0 })
      expect(await isEqual(put('tree'), put('mount', 'sshfs'))).toBe('')
      expect((await runProgram(['ls', '-A', put('mount')])).out).not.toContain('.wakestone')
    } finally {
      await runProgram(['fusermount3', '-u', put('mount')])
    }
  })
})

test('a full disk refuses in mid-transfer, and takes more once there is room', async () => {
  const id = await rentAsleep(api, owner)
  await api.context.database.pool.query(
    `update servers set limits = limits || jsonb_build_object('storage', 64 * 1024 * 1024) where id = $1`,
    [id],
  )
  const access = await makeToken(owner, id)
  writeFileSync(put('large'), Buffer.alloc(100 * 1024 ** 2))
  const full = await sftp(
    client,
    api,
    access,
    `put ${put('large')} large\nls -l\nrm large\nput ${put('tree', 'server.properties')} small\n`,
  )
  expect(full.err).toMatch(/write remote.*Failure/)
  const size = Number(/(\d+) \w+ \d+ \d+:\d+ large/.exec(full.out)?.[1])
  expect(size).toBeGreaterThan(40 * 1024 ** 2)
  expect(size).toBeLessThan(70 * 1024 ** 2)
  expect((await sftp(client, api, access, 'ls -1\n')).out).toMatch(/\nsmall/)
})

test('where volumes are folders, what would be too much is refused as well', async () => {
  let cluster: ProgramCluster | undefined
  const other = await startSftpApi({}, { openCluster: (key) => (cluster = createProgramCluster(key)) })
  onTestFinished(async () => {
    await other.close()
    cluster?.close()
  })
  const user = await other.signUp()
  const id = await rentAsleep(other, user)
  await other.context.database.pool.query(
    `update servers set limits = limits || jsonb_build_object('storage', 16 * 1024 * 1024) where id = $1`,
    [id],
  )
  const access = await makeToken(user, id)
  const larger = put('larger')
  writeFileSync(larger, Buffer.alloc(24 * 1024 ** 2, 'more'))
  const ran = await sftp(
    client,
    other,
    access,
    `put ${larger} larger\nls -l\nput ${put('tree', 'plugins', 'world.bin')} second\n`,
  )
  expect(ran.err).toMatch(/write remote.*Failure/)
  const size = statSync(join(cluster!.volumeOf(id), 'larger')).size
  expect(size).toBeGreaterThan(8 * 1024 ** 2)
  expect(size).toBeLessThanOrEqual(16 * 1024 ** 2)
  rmSync(join(cluster!.volumeOf(id), 'larger'))
  await vi.waitFor(
    async () => {
      const again = await sftp(client, other, access, `put ${put('tree', 'plugins', 'world.bin')} second\n`)
      expect(again.err).toBe('')
    },
    { timeout: 20_000, interval: 1_000 },
  )
})

test('a tree of 5 000 files by every client', { timeout: 900_000 }, async () => {
  const id = await rentAsleep(api, owner)
  const access = await makeToken(owner, id)
  for (let index = 0; index < 5000; index++) {
    const folder = put('many', `folder ${index % 50}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${index}.yml`), `${index}\n`.repeat((index % 200) + 1))
  }
  const openSsh = await sftp(client, api, access, `put -r ${put('many')} .\nget -r many ${put('many-back')}\n`, 600)
  expect([openSsh.err, await isEqual(put('many'), put('many-back'))]).toEqual(['', ''])
  const seconds = 600
  if (hasProgram('lftp')) {
    const ran = await runProgram(
      lftp(access, `mirror -R -P 4 ${put('many')} lftp; mirror -P 4 lftp ${put('many-lftp')}`),
      { env: lftpEnv, seconds },
    )
    expect([ran.code, await isEqual(put('many'), put('many-lftp'))]).toEqual([0, ''])
  }
  if (hasProgram('rclone')) {
    const options = await rclone(access)
    expect(await runProgram(['rclone', 'sync', ...options, put('many'), ':sftp:rclone'], { seconds })).toMatchObject({
      code: 0,
    })
    expect(
      await runProgram(['rclone', 'check', '--download', ...options, put('many'), ':sftp:rclone'], { seconds }),
    ).toMatchObject({ code: 0 })
  }
  if (hasProgram('sshfs') && existsSync('/dev/fuse')) {
    const mounted = put('mounted')
    mkdirSync(mounted)
    const { username, password = '' } = access
    const options = `password_stdin,UserKnownHostsFile=${put('known')},StrictHostKeyChecking=no,idmap=user`
    const command = ['sshfs', '-p', `${api.port}`, '-o', options, `${username}@127.0.0.1:`, mounted]
    const mount = await runProgram(command, { input: password })
    expect([mount.code, mount.err]).toEqual([0, ''])
    try {
      const copied = await runProgram(['cp', '-r', put('many'), join(mounted, 'sshfs')], { seconds })
      expect([copied.code, await isEqual(put('many'), join(mounted, 'sshfs'))]).toEqual([0, ''])
      expect((await runProgram(['rm', '-r', join(mounted, 'sshfs')], { seconds })).code).toBe(0)
      // In another process: this one serves the mount and would wait for itself.
      expect(await runProgram(['ls', '-A', mounted])).not.toMatchObject({ out: expect.stringContaining('sshfs') })
    } finally {
      await runProgram(['fusermount3', '-u', mounted])
    }
  }
})

test('what was done is told, a minute’s work in one event, and who came from where', async () => {
  const id = await rentAsleep(api, owner)
  const access = await makeToken(owner, id)
  await sftp(
    client,
    api,
    access,
    `put -r ${put('tree')} .\nmkdir made\nrename made renamed\nrmdir renamed\nget tree/plugins/world.bin ${put('world')}\nrm nothing\n`,
  )
  const { pool } = api.context.database
  const kinds = async () => {
    await pool.query(`update file_changes set minute = minute - interval '2 minutes'`).catch(() => {})
    await tellFileChanges(api.context)
    const { rows } = await pool.query('select action, data from audit_events where resource_id = $1', [id])
    return new Map(rows.map(({ action, data }) => [action, data]))
  }
  await vi.waitFor(async () => expect(await kinds()).toHaveProperty('size', expect.any(Number)), 10_000)
  await vi.waitFor(
    async () =>
      expect([...(await kinds()).keys()]).toEqual(
        expect.arrayContaining(['UPLOADED_FILES', 'SERVER_FILES_REMOVE', 'SERVER_SFTP_LOGIN']),
      ),
    15_000,
  )
  const told = await kinds()
  expect(told.get('UPLOADED_FILES')).toMatchObject({
    count: 3,
    total_size: 3_000_001 + 11 + 5,
    executor: owner.user.id,
  })
  expect(told.get('UPLOADED_FILES').files).toContain('tree/plugins/Zażółć "x"/jaźń.yml')
  expect(told.get('SERVER_FILES_REMOVE')).toMatchObject({ count: 1, paths: ['renamed'] }) // not what was not there
  expect(told.get('SERVER_FILES_MOVE')).toMatchObject({ paths: ['made'], to: 'renamed' })
  expect(told.get('SERVER_SFTP_LOGIN')).toMatchObject({ ip: '127.0.0.1' })
})
