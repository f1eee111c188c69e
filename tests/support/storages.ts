/** Storages of others for backups, on this machine: OpenSSH's SFTP, a rest-server that only takes, and S3. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startS3Simulator } from '@wakestone/simulators/s3'
import { findFreePorts, isOpen } from './ports.ts'

export type Storage = {
  /** Settings of the product. */
  env: Record<string, string>
  close(): Promise<void>
}

const sshd = '/usr/sbin/sshd'
const restServer = join(import.meta.dirname, '../../.cache/rest-server/rest-server')
/** A server of SSH comes with no set-up: it would open this machine. */
export const hasSshd = existsSync(sshd)
export const hasRestServer = existsSync(restServer)

/** Starts a program with a port and a folder of its own; it is there once it takes connections. */
async function startProgram(commandOf: (at: { port: number; folder: string }) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ws-storage-'))
  const { http: port } = await findFreePorts()
  const [program = '', ...args] = commandOf({ port, folder })
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => (said = `${said}${text}`.slice(-2000)))
  const ended = new Promise((resolve) => child.once('close', resolve))
  for (const deadline = Date.now() + 20_000; !(await isOpen(port)); await delay(50))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} did not start: ${said}`)
  return {
    port,
    folder,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function openSftpStorage(): Promise<Storage> {
  const makeKey = (file: string) => spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const { port, folder, close } = await startProgram((at) => {
    for (const name of ['host', 'client']) makeKey(join(at.folder, name))
    mkdirSync('/run/sshd', { recursive: true }) // where sshd separates its privileges
    writeFileSync(join(at.folder, 'authorized'), readFileSync(join(at.folder, 'client.pub')))
    const config = [
      `Port ${at.port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at.folder}/host`,
      `PidFile ${at.folder}/pid`,
      `AuthorizedKeysFile ${at.folder}/authorized`,
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'Subsystem sftp internal-sftp',
      'ForceCommand internal-sftp',
    ]
    writeFileSync(join(at.folder, 'config'), `${config.join('\n')}\n`)
    return [sshd, '-D', '-e', '-f', join(at.folder, 'config')]
  })
  const known = readFileSync(join(folder, 'host.pub'), 'utf8')
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${known}`)
  return {
    env: {
      BACKUP_STORAGE: `sftp://root@127.0.0.1:${port}/${folder}/kept`,
      BACKUP_SSH_KEY_FILE: join(folder, 'client'),
      BACKUP_KNOWN_HOSTS_FILE: join(folder, 'known_hosts'),
    },
    close,
  }
}

export async function openRestStorage(): Promise<Storage> {
  const password = 'of the storage'
  const { port, close } = await startProgram((at) => {
    const digest = createHash('sha1').update(password).digest('base64')
    writeFileSync(join(at.folder, 'users'), `wakestone:{SHA}${digest}\n`)
    const options = [`--listen=127.0.0.1:${at.port}`, `--htpasswd-file=${at.folder}/users`, '--append-only']
    return [restServer, `--path=${at.folder}/kept`, ...options]
  })
  return {
    env: {
      BACKUP_STORAGE: `rest:http://127.0.0.1:${port}`,
      BACKUP_STORAGE_USER: 'wakestone',
      BACKUP_STORAGE_PASSWORD: password,
      BACKUP_APPEND_ONLY: '1',
    },
    close,
  }
}

export async function openS3Storage(): Promise<Storage> {
  const { url, accessKey, secretKey, close } = await startS3Simulator()
  return {
    env: {
      BACKUP_STORAGE: `s3:${url}`,
      BACKUP_STORAGE_USER: accessKey,
      BACKUP_STORAGE_PASSWORD: secretKey,
      BACKUP_STORAGE_OPTIONS: 's3.bucket-lookup=path',
    },
    close,
  }
}
