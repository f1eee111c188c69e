/**
 * The embedded PostgreSQL: laid out with initdb, started detached, and adopted when it outlived the process that
 * started it. It listens on a unix socket only, so that nothing inside a game's sandbox can reach it.
 */
import { execFile, spawn, type StdioOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Placement, placeCluster } from './placement.ts'

export type Postgres = {
  /** Address of the database `name`; for pg, pg-boss, psql and pgbench alike. */
  url(name: string): string
  pid: number
  /** True when it was found running. */
  adopted: boolean
  /** Resolves when it ended without having been asked to. */
  lost: Promise<void>
  /** Ends its sessions, writes everything out and ends it. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Folder of the cluster; made when missing. */
  home: string
  /** Of the superuser `wakestone`; set when the cluster is laid out. */
  password: string
  logFile: string
  /** Trades safety for speed; for tests only. */
  throwaway?: boolean
}

const superuser = 'wakestone'

/** Starts PostgreSQL in `home`, or takes over the one that already runs there. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const placement = placeCluster(options.home)
  const { cluster } = placement
  if (!existsSync(cluster)) await layOut(placement, options)
  const found = findRunning(cluster)
  const { pid, socketDir } = found?.ready ? found : await launch(placement, options)

  let wanted = true
  const lost = new Promise<void>((resolve) => {
    // It may be no child of ours, so its end is seen by looking.
    const timer = setInterval(() => {
      if (isPostgres(pid, cluster)) return
      clearInterval(timer)
      if (wanted) resolve()
    }, 250)
    timer.unref()
  })

  async function stop() {
    wanted = false
    if (isPostgres(pid, cluster)) process.kill(pid, 'SIGINT') // PostgreSQL's "fast shutdown"
    const deadline = Date.now() + 30_000
    while (isPostgres(pid, cluster)) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not stop within 30 s')
      await delay(20)
    }
    rmSync(socketDir, { recursive: true, force: true })
  }

  const url = (name: string) => address(name, socketDir, options.password)
  return { url, pid, adopted: found?.ready === true, lost, stop }
}

/** Address of the database `name` where PostgreSQL runs in `home` by now. */
export function findPostgres({ home, password }: PostgresOptions, name: string): string | undefined {
  if (!existsSync(join(home, 'cluster'))) return undefined
  const found = findRunning(join(realpathSync(home), 'cluster'))
  return found?.ready ? address(name, found.socketDir, password) : undefined
}

function address(name: string, socketDir: string, password: string): string {
  return `postgres:///${name}?${new URLSearchParams({ host: socketDir, user: superuser, password })}`
}

async function layOut({ cluster, user, program }: Placement, { password, throwaway, logFile }: PostgresOptions) {
  // Laid out beside its place and then moved: a half-made cluster must not be taken for a whole one.
  const draft = `${cluster}.new`
  const passwordFile = `${cluster}.password`
  rmSync(draft, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const args = ['-D', draft, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  args.push('--encoding=UTF8', '--locale=C.UTF-8', ...(throwaway ? ['--no-sync'] : []))
  try {
    const { stdout } = await promisify(execFile)(program('initdb'), args, { ...user, env: environment(), cwd: '/' })
    writeFileSync(logFile, stdout, { flag: 'a' })
  } catch (error) {
    throw new Error(`initdb failed: ${(error as { stderr?: string }).stderr || String(error)}`, { cause: error })
  } finally {
    rmSync(passwordFile)
  }
  renameSync(draft, cluster)
}

const environment = () => ({ PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C.UTF-8' })

async function launch(placement: Placement, { logFile, throwaway }: PostgresOptions) {
  const { cluster, user, program } = placement
  const socketDir = makeSocketDir(placement)
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    max_connections: '200',
    shared_buffers: '96MB',
    jit: 'off', // our queries are short
    timezone: 'UTC',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let end: string | undefined
  // After a kill, what its children still hold makes the first start fail now and then: try again.
  for (let attempt = 0; attempt < 8; attempt++) {
    await delay(250 * attempt)
    end = undefined
    const log = openSync(logFile, 'a')
    const stdio: StdioOptions = ['ignore', log, log]
    const child = spawn(program('postgres'), args, { ...user, env: environment(), cwd: '/', detached: true, stdio })
    closeSync(log)
    child.unref()
    child.once('error', (error) => (end = error.message))
    child.once('exit', (code, signal) => (end = `it ended with ${signal ?? code}`))
    while (end === undefined) {
      const running = findRunning(cluster)
      if (running?.ready) return running
      await delay(15)
    }
  }
  throw new Error(`PostgreSQL does not start: ${end}; see ${logFile}`)
}

/** Reads `postmaster.pid` (process, folder, start, port, socket folder, …, state); undefined unless it really runs. */
function findRunning(cluster: string): { pid: number; socketDir: string; ready: boolean } | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  if (!isPostgres(pid, cluster)) return undefined
  return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

/** A process id may have been given out anew: what counts is that the process works in this folder. */
function isPostgres(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false
  }
}

/** Socket paths end at 107 bytes, so theirs is a short folder for temporary files, and closed to others. */
function makeSocketDir({ cluster, user }: Placement): string {
  const name = `wakestone-pg-${createHash('sha256').update(dirname(cluster)).digest('hex').slice(0, 12)}`
  const dir = join(tmpdir(), name)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(dir)
  if (uid !== process.getuid?.() && uid !== user?.uid) {
    throw new Error(`${dir} belongs to somebody else: remove it, or set TMPDIR`)
  }
  if (user) chownSync(dir, user.uid, user.gid)
  chmodSync(dir, 0o700)
  return dir
}
