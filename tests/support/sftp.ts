/** What tests of SFTP share: an API with real boxes, the gateway's door, and Debian's clients. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createRemoteFilesToken } from '@wakestone/contract/servers/remotefs-routes'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { startSftpServer } from '../../apps/gateway/src/sftp/server.ts'
import type { SftpOptions } from '../../apps/gateway/src/sftp/options.ts'
import { type Caller, startTestApi, type TestApi } from './api.ts'
import { order, prepareArtifacts, topUp } from './servers.ts'

export type SftpApi = TestApi & { port: number; engineVersion: string }

export const hasProgram = (name: string) => spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0

export async function startSftpApi(
  env: Record<string, string> = {},
  {
    pages = false,
    openCluster,
    ...changes
  }: Partial<SftpOptions> & { pages?: boolean; openCluster?: (publicKey: string) => Cluster } = {},
): Promise<SftpApi> {
  const api = await startTestApi(env, { pages, ...(openCluster && { openCluster }) })
  const { engineVersion } = await prepareArtifacts(api)
  const { settings, secrets, fleet } = api.context
  const door = await startSftpServer({
    host: '127.0.0.1',
    port: 0,
    apiUrl: api.origin,
    token: secrets.gateway,
    hostSecret: secrets.sftpHost,
    connectionsPerAddress: 64,
    connectionRate: 200,
    logLevel: settings.LOG_LEVEL,
    ...changes,
  })
  return {
    ...api,
    engineVersion,
    port: door.port,
    async close() {
      await door.close()
      await fleet.cluster.stopAll({ timeoutSeconds: 1 })
      await api.close()
    },
  }
}

/** A server that has been prepared, as far as the database knows, and sleeps. */
export async function rentAsleep(api: SftpApi, owner: Caller): Promise<string> {
  const walletId = await topUp(api.context, owner, 5_000)
  const { id } = await owner.call(createServer, { body: order(walletId, api.engineVersion) })
  await api.context.database.pool.query('update servers set prepared_at = now() where id = $1', [id])
  return id
}

export type Access = { username: string; password?: string; keyFile?: string }

export const makeToken = ({ call }: Caller, serverId: string) =>
  call(createRemoteFilesToken, { params: { id: serverId } })

export type Ran = { code: number | null; out: string; err: string }

/** Runs a program to its end, killed after a while with what it has started. */
export function runProgram(
  [program = '', ...args]: string[],
  { input = '', env = {}, seconds = 30 }: { input?: string; env?: Record<string, string>; seconds?: number } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      detached: true, // no terminal to ask for passwords at, and a group: what it has started ends with it
    })
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), seconds * 1000)
    const ran: Ran = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (ran.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (ran.err += chunk.toString()))
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ ...ran, code })
    })
    child.stdin.end(input)
  })
}

/** Folder for one test, with a program that types a password for OpenSSH. */
export function openClientFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'wsf-'))
  const asking = join(folder, 'askpass')
  writeFileSync(asking, '#!/bin/sh\nprintf "%s\\n" "$SFTP_PASSWORD"\n', { mode: 0o700 })
  return {
    folder,
    /** Options and environment for OpenSSH's programs. */
    openSsh({ password, keyFile }: Access, port: number) {
      const options = {
        StrictHostKeyChecking: 'no',
        UserKnownHostsFile: join(folder, 'known_hosts'),
        ConnectTimeout: '10',
        NumberOfPasswordPrompts: '1',
        IdentitiesOnly: 'yes',
        ...(keyFile === undefined && { PubkeyAuthentication: 'no' }),
        ...(keyFile !== undefined && { IdentityFile: keyFile, BatchMode: 'yes' }),
      }
      return {
        args: [
          '-q',
          '-P',
          String(port),
          '-F',
          '/dev/null',
          ...Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]),
        ],
        env: { SSH_ASKPASS: asking, SSH_ASKPASS_REQUIRE: 'force', SFTP_PASSWORD: password ?? '', DISPLAY: ':0' },
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
/** A few files to bring there and back: names of every kind, sizes beyond one packet. */
export function plantTree({ folder }: { folder: string }): void {
  const put = (...path: string[]) => join(folder, ...path)
  mkdirSync(put('tree', 'plugins', 'Zażółć "x"'), { recursive: true })
  writeFileSync(put('tree', 'server.properties'), 'motd=hello\n')
  writeFileSync(put('tree', 'plugins', 'Zażółć "x"', 'jaźń.yml'), 'a: 1\n')
  writeFileSync(put('tree', 'plugins', 'world.bin'), Buffer.alloc(3_000_001, 'world'))
}
export type ClientFolder = ReturnType<typeof openClientFolder>

/** OpenSSH's `sftp`, with commands as they are typed. */
export function sftp(client: ClientFolder, { port }: { port: number }, access: Access, commands: string, seconds = 30) {
  const { args, env } = client.openSsh(access, port)
  // `-b -` would refuse to ask for a password.
  return runProgram(['sftp', ...args, `${access.username}@127.0.0.1`], { input: commands, env, seconds })
}
