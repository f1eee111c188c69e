/** MariaDB as a program: how it is made small, made anew, started, and kept to its own files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mysqlName } from '@wakestone/protocol/values'

const PROGRAM = '/usr/sbin/mariadbd'
const SYSTEM_TABLES = '/usr/share/mysql/mysql_system_tables.sql'
const BOOTSTRAP_MS = 120_000
/** Kept of what it says, for the log when it ends. */
const TAIL_BYTES = 4000

/** Our accounts, beside the customer's: for everything, and for statements that a customer sends. */
export const accounts = { admin: 'wakestone', guest: 'wakestone_import' } as const

export type MysqlPaths = ReturnType<typeof mysqlPaths>
export function mysqlPaths(own: string) {
  const folder = join(own, 'mysql')
  return {
    folder,
    data: join(folder, 'data'),
    draft: join(folder, 'data.new'),
    temporary: join(folder, 'tmp'),
    socket: join(folder, 'mysql.sock'),
    init: join(folder, 'init.sql'),
    dump: join(folder, 'dump.sql'),
    load: join(folder, 'load.sql'),
    /** By the work whose load they were saved from. */
    before: (id: string) => join(folder, `before-${id}.sql`),
  }
}

export const hasMariaDb = () => existsSync(PROGRAM) && existsSync(SYSTEM_TABLES)

/**
 * Whoever starts it can become nobody else, and it keeps none of the supervisor's rights. `hasRights`: whether there are
 * any to lose.
 */
export function withoutRights(command: string[], hasRights: boolean): string[] {
  return hasRights ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--', ...command] : command
}

const optionsOf = (paths: MysqlPaths, data: string) => [
  '--no-defaults',
  '--user=root', // the supervisor's user inside, who has no rights there; ignored for others
  `--datadir=${data}`,
  `--tmpdir=${paths.temporary}`,
  // Small: 53 MB of memory and 15 MB of disk instead of 130 and 120.
  '--innodb-buffer-pool-size=8M',
  '--innodb-log-file-size=4M',
  '--innodb-log-buffer-size=1M',
  '--innodb-data-file-path=ibdata1:4M:autoextend',
  '--innodb-temp-data-file-path=ibtmp1:4M:autoextend',
  '--innodb-autoextend-increment=1',
  '--innodb-undo-tablespaces=0',
  '--innodb-use-native-aio=0', // the kernel has few of those, for all servers together
  '--aria-pagecache-buffer-size=2M',
  '--key-buffer-size=256K',
  '--performance-schema=OFF',
  '--thread-stack=256K',
  '--max-connections=20',
  '--max-allowed-packet=64M',
  '--character-set-server=utf8mb4',
  '--skip-name-resolve',
  // Statements reach no files but these.
  '--local-infile=0',
  '--symbolic-links=0',
  `--secure-file-priv=${paths.temporary}`,
]

/** Makes an empty one. It is there once its folder has its name. */
export async function makeData(paths: MysqlPaths, hasRights: boolean): Promise<void> {
  rmSync(paths.draft, { recursive: true, force: true })
  for (const folder of [paths.folder, paths.draft, paths.temporary]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const command = [PROGRAM, ...optionsOf(paths, paths.draft), '--bootstrap', '--log-warnings=0']
  const [program, ...args] = withoutRights(command, hasRights)
  const child = spawn(program as string, args, { stdio: ['pipe', 'ignore', 'pipe'], timeout: BOOTSTRAP_MS })
  const tail = keepTail(child)
  child.stdin.on('error', () => {})
  child.stdin.end(`create database mysql;\nuse mysql;\n${readFileSync(SYSTEM_TABLES, 'utf8')}`)
  const code = await ended(child)
  if (code !== 0) throw new Error(`MySQL could not be made: ${tail()}`)
  renameSync(paths.draft, paths.data)
}

/**
 * Starts it. What has to be so is made so with each start, before anybody gets in: the database, the customer's user with
 * rights on that alone, and our accounts, whose password nobody has known before.
 *
 * @param cgroup descriptor of the file through which a process enters its cgroup
 */
export function startEngine(
  paths: MysqlPaths,
  {
    password,
    hasRights,
    cgroup,
    port,
  }: { password: string; hasRights: boolean; cgroup: number | undefined; port: number },
): { child: ChildProcess; tail: () => string } {
  rmSync(paths.socket, { force: true })
  rmSync(paths.temporary, { recursive: true, force: true })
  mkdirSync(paths.temporary, { recursive: true, mode: 0o700 })
  writeFileSync(paths.init, initStatements(password).join('\n'), { mode: 0o600 })
  const command = withoutRights(
    [
      PROGRAM,
      ...optionsOf(paths, paths.data),
      `--socket=${paths.socket}`,
      `--pid-file=${join(paths.folder, 'pid')}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--init-file=${paths.init}`,
      '--log-warnings=1',
      // A game that was frozen finds its connections as it has left them.
      '--wait-timeout=31536000',
    ],
    hasRights,
  )
  const [program, ...args] = cgroup === undefined ? command : ['/bin/sh', '-c', ENTER, 'mysql', ...command]
  const more = cgroup === undefined ? [] : [cgroup]
  const child = spawn(program as string, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', ...more] })
  return { child, tail: keepTail(child) }
}
/** As for a game: see `game-process.ts`. */
const ENTER = 'echo 0 >&3 2> /dev/null; exec 3>&-; exec "$@"'

const user = `'${mysqlName}'@'127.0.0.1'`
/** Of a password that nobody has: a hash of none. */
const NO_HASH = `*${'0'.repeat(40)}`
export const setPassword = (hash: string) => `alter user ${user} identified by password '${hash}'`
const [admin, guest] = [`'${accounts.admin}'@'localhost'`, `'${accounts.guest}'@'localhost'`]

/** What a user may do with the tables; `isFull`: reading and taking away only. */
export const grantStatements = (isFull: boolean) =>
  [user, guest].flatMap((account) => [
    `revoke all privileges on \`${mysqlName}\`.* from ${account}`,
    `grant ${isFull ? 'select, delete, drop, show view, lock tables' : 'all privileges'} on \`${mysqlName}\`.* to ${account}`,
  ])

/** One in each line, as the program reads them. */
const initStatements = (password: string) => [
  `create database if not exists \`${mysqlName}\` character set utf8mb4;`,
  `create or replace user ${admin} identified by '${password}';`,
  `grant all privileges on *.* to ${admin} with grant option;`,
  `create or replace user ${guest} identified by '${password}';`,
  `create user if not exists ${user} identified by password '${NO_HASH}';`,
  `grant all privileges on \`${mysqlName}\`.* to ${user};`,
  `grant all privileges on \`${mysqlName}\`.* to ${guest};`,
]

function keepTail(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-TAIL_BYTES)))
  child.on('error', (error) => (tail += error.message))
  return () => tail.trim().split('\n').slice(-3).join(' | ').slice(-500)
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('exit', (code) => resolve(code))
  })
