/** What a sandbox looks like from outside: told by the kernel, whatever is inside. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

export type SeenMount = { at: string; type: string; options: string; isFolder: boolean }

/** Of one process inside, by its number there: as whom it runs, what it may, and what it may not call. */
type Rights = Record<string, string>
export type Seen = {
  mounts: SeenMount[]
  rights: Record<string, Rights>
  users: string
  /** The namespaces that are the sandbox's own. */
  own: string[]
}

/** What a descriptor leads to that lies outside. */
export type Outside = { key: string; what: string }

const RIGHTS = [
  'Uid',
  'Gid',
  'Groups',
  'CapInh',
  'CapPrm',
  'CapEff',
  'CapBnd',
  'CapAmb',
  'NoNewPrivs',
  'Seccomp',
  'Seccomp_filters',
]
const NAMESPACES = ['user', 'mnt', 'net', 'pid', 'ipc', 'uts', 'cgroup']

/** @param pids all processes inside, `init` among them */
export function lookAtSandbox(init: number, pids: number[]): Seen {
  return {
    mounts: readMounts(init).map(({ at, type, options, isFolder }) => ({ at, type, options, isFolder })),
    rights: Object.fromEntries(pids.flatMap((pid) => ifThere(() => [readRights(pid)]) ?? [])),
    users: ['uid_map', 'gid_map'].map((map) => readFileSync(`/proc/${init}/${map}`, 'utf8')).join(''),
    own: NAMESPACES.filter(
      (name) => readlinkSync(`/proc/${init}/ns/${name}`) !== readlinkSync(`/proc/self/ns/${name}`),
    ),
  }
}

/**
 * What is another wall than before; undefined where none is. The order of mounts says nothing. A process that has ended
 * needs none; one that was not there before has none that is known.
 */
export function findDifference(before: Seen, after: Seen): string | undefined {
  const mountsOf = ({ mounts }: Seen) => mounts.map(canonical).toSorted()
  const isOther = (one: unknown, other: unknown) => canonical(one) !== canonical(other)
  if (isOther(mountsOf(before), mountsOf(after))) return 'mounts'
  if (isOther(before.users, after.users)) return 'users'
  if (isOther(before.own, after.own)) return 'namespaces'
  return Object.entries(after.rights).some(([pid, rights]) => isOther(before.rights[pid], rights))
    ? 'rights'
    : undefined
}

const canonical = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

function readMounts(pid: number): (SeenMount & { id: string })[] {
  return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', , , , at = '', options = '', ...rest] = line.split(' ')
      const type = rest[rest.indexOf('-') + 1] ?? ''
      return { id, at, type, options, isFolder: lstatSync(`/proc/${pid}/root${at}`).isDirectory() }
    })
}

function readRights(pid: number): [string, Rights] {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  const values = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const inner = values['NSpid']?.split(/\s+/).at(-1) ?? ''
  return [inner, Object.fromEntries(RIGHTS.map((name) => [name, values[name] ?? '']))]
}

/**
 * Files outside of the sandbox that its processes have open.
 * @param known paths of those that are expected, by what they are
 * @throws Error where there is another one: it could not be given back
 */
export function readOutside(init: number, pids: number[], known: Record<string, string>): Outside[] {
  const inside = new Set(readMounts(init).map(({ id }) => id))
  const wanted = Object.entries(known).map(([what, path]) => ({ what, ...identityOf(path) }))
  const found = new Map<string, Outside>()
  for (const pid of pids) {
    for (const fd of ifThere(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
      const one = ifThere(() => readDescriptor(pid, fd))
      if (one === undefined || inside.has(one.mount)) continue
      const { mount, link, ino, rdev } = one
      const same = wanted.find((other) => (rdev !== 0 ? other.rdev === rdev : other.ino === ino && other.rdev === 0))
      if (same === undefined) throw new Error(`a descriptor leads to ${link} outside`)
      const key = `file[${Number(mount).toString(16)}:${ino.toString(16)}]`
      found.set(key, { key, what: same.what })
    }
  }
  return [...found.values()]
}

function identityOf(path: string) {
  const { ino, rdev } = statSync(path)
  return { ino, rdev }
}

/** Undefined for what has no place, such as a pipe. */
function readDescriptor(pid: number, fd: string) {
  const link = readlinkSync(`/proc/${pid}/fd/${fd}`)
  if (!link.startsWith('/') || link.startsWith('/memfd:')) return undefined
  const mount = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''
  return { link, mount, ...identityOf(`/proc/${pid}/fd/${fd}`) }
}

/** Processes end and files are closed while they are looked at. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
