/** What is asked of MariaDB, by its own client programs: they read no commands but SQL, and no files. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { mysqlName } from '@wakestone/protocol/values'
import { accounts, type MysqlPaths, withoutRights } from './engine.ts'

const CLIENT = '/usr/bin/mariadb'
const DUMP = '/usr/bin/mariadb-dump'
/** A page, a list, a word: never more, whatever is in the tables. */
const MOST_ANSWER_BYTES = 2 * 1024 * 1024
const ANSWER_MS = 20_000
/** What is kept of a complaint. */
const COMPLAINT_LENGTH = 300

/** What MariaDB complains of, in its own words. */
export class StatementError extends Error {}

export type MysqlAccess = { paths: MysqlPaths; password: string; hasRights: boolean }
type Account = keyof typeof accounts

const login = ({ paths }: MysqlAccess, account: Account) => [
  '--no-defaults',
  '--protocol=socket',
  `--socket=${paths.socket}`,
  `--user=${accounts[account]}`,
  '--default-character-set=utf8mb4',
]
/** Nothing but statements: no commands of the client, such as for running programs or reading files. */
const onlyStatements = ['--binary-mode', '--sandbox', '--local-infile=0']

function start(access: MysqlAccess, command: string[], stdin: 'pipe' | 'ignore', signal?: AbortSignal): ChildProcess {
  const [program, ...args] = withoutRights(command, access.hasRights)
  return spawn(program as string, args, {
    stdio: [stdin, 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', MYSQL_PWD: access.password },
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  })
}

/** Resolves when it has ended well. @throws StatementError with the first thing that it complains of */
function untilEnd(child: ChildProcess): Promise<void> {
  let complaint = ''
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, 4 * COMPLAINT_LENGTH)),
  )
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) return resolve()
      const lines = complaint.split('\n').map((text) => text.replace(/^\S*mariadb(?:-dump)?: /, '').trim())
      // Before what it says it repeats the statement.
      const line = lines.find((text) => text.startsWith('ERROR ')) ?? lines.find((text) => /\w/.test(text))
      reject(new StatementError((line ?? 'it was broken off').slice(0, COMPLAINT_LENGTH)))
    })
  })
}

/** Runs statements and returns the lines of what they answer, columns apart by tabs. */
export async function ask(access: MysqlAccess, statements: string[], database: string = mysqlName): Promise<string[]> {
  const command = [CLIENT, ...login(access, 'admin'), ...onlyStatements, '--batch', '--raw', '--skip-column-names']
  const signal = AbortSignal.timeout(ANSWER_MS)
  const child = start(access, [...command, ...(database === '' ? [] : [database])], 'pipe', signal)
  const end = untilEnd(child)
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(statements.map((statement) => `${statement};\n`).join(''))
  await end
  return Buffer.concat(chunks).toString().split('\n').slice(0, -1)
}

/**
 * Runs statements of a customer's, with the rights that their own user has.
 * @throws StatementError for what is refused; what came before it stays done
 */
export async function runStatements(access: MysqlAccess, source: Readable, signal: AbortSignal): Promise<void> {
  await feed(start(access, [CLIENT, ...login(access, 'guest'), ...onlyStatements, mysqlName], 'pipe', signal), source)
}

/** Runs a dump of ours, which may make what belongs to other users. */
export async function runDump(access: MysqlAccess, source: Readable, signal: AbortSignal): Promise<void> {
  await feed(start(access, [CLIENT, ...login(access, 'admin'), ...onlyStatements, mysqlName], 'pipe', signal), source)
}

async function feed(child: ChildProcess, source: Readable): Promise<void> {
  const end = untilEnd(child)
  child.stdout?.resume() // nobody reads answers
  const stdin = child.stdin!
  stdin.on('error', () => source.unpipe(stdin)) // it has ended, and says why
  let broken: Error | undefined
  const breakOff = (error?: Error) => {
    broken ??= error ?? new Error('the statements broke off')
    child.kill('SIGKILL')
  }
  source.on('error', breakOff)
  source.on('close', () => source.readableEnded || stdin.destroyed || stdin.writableEnded || breakOff())
  source.pipe(stdin)
  try {
    await end
  } catch (error) {
    throw broken ?? error
  }
}

/** All tables as statements, as they were at one moment. `end` rejects when something went wrong. */
export function openDump(access: MysqlAccess, signal: AbortSignal): { content: Readable; end: Promise<void> } {
  const command = [
    DUMP,
    ...login(access, 'admin'),
    '--single-transaction',
    '--quick',
    '--skip-lock-tables',
    '--skip-dump-date',
    '--no-tablespaces',
    '--routines',
    '--triggers',
    '--events',
    '--hex-blob',
    '--max-allowed-packet=64M',
    mysqlName,
  ]
  const child = start(access, command, 'ignore', signal)
  return { content: child.stdout as Readable, end: untilEnd(child) }
}
