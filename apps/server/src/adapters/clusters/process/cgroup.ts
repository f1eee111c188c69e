/**
 * Kernel limits for one sandbox. They need a writable cgroup hierarchy, version 1 or 2: root has it all, an ordinary user
 * that part in which it runs itself, if it was given to it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { waitUntil } from './processes.ts'

const ROOT = '/sys/fs/cgroup'
/** Threads too. */
export const MAX_PROCESSES = 512
const LAST_PROCESS_MS = 2000
const PERIOD_MICROSECONDS = 100_000

export type SandboxCgroup = {
  /** Files into which a process writes its pid to enter. */
  procsFiles: string[]
  /** Folders to show inside the sandbox: name below its cgroup folder, `.` for that folder itself → folder here. */
  folders: Record<string, string>
}

export type CgroupLimits = {
  memoryBytes: number
  /** Cores; as many as there are where it is missing. */
  cpu?: number
  /** Threads too; 512 where it is missing. */
  processes?: number
  /** Of the processor's time, when there is not enough for all; 1 where it is missing. */
  weight?: number
}

/** Makes or updates the cgroup called `name`; undefined where that cannot be done. */
export function ensureCgroup(name: string, limits: CgroupLimits): SandboxCgroup | undefined {
  try {
    return make(name, limits)
  } catch {
    return undefined
  }
}

/** Why no limits can be set; undefined where they can. Tried with a cgroup of nobody's. */
export function findCgroupFault(): string | undefined {
  const name = `trial-${process.pid}`
  try {
    make(name, { memoryBytes: 2 ** 30, cpu: 1 })
    return undefined
  } catch (error) {
    return `no cgroup can be made: ${(error as Error).message}`
  } finally {
    for (const folder of foldersOf(name)) if (existsSync(folder)) rmdirSync(folder)
  }
}

const make = (name: string, limits: CgroupLimits) =>
  existsSync(join(ROOT, 'cgroup.controllers')) ? ensureVersion2(name, limits) : ensureVersion1(name, limits)
const CONTROLLERS_1 = ['memory', 'cpu', 'cpuacct', 'pids']
const CONTROLLERS_2 = ['memory', 'cpu', 'pids']
/** Takes in what runs where sandboxes' cgroups are made: version 2 wants a cgroup to hold processes or others. */
const OWN = 'control'

/** The cgroup in which those of sandboxes are made; `controller` is empty for version 2. */
function baseOf(controller: string): string {
  const folder = join(ROOT, controller)
  if (process.getuid?.() === 0) return folder
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  const own = lines
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line)!)
    .find(([, names]) => (names as string).split(',').includes(controller))?.[2]
  return join(folder, (own ?? '').replace(new RegExp(`/${OWN}$`), ''))
}
const folderOf = (controller: string, name: string) => join(baseOf(controller), 'wakestone', name)
const foldersOf = (name: string) => ['', ...CONTROLLERS_1].map((controller) => folderOf(controller, name))
const quota = (cpu: number) => Math.max(1000, Math.round(cpu * PERIOD_MICROSECONDS))

function ensureVersion2(name: string, limits: CgroupLimits): SandboxCgroup {
  const folder = folderOf('', name)
  mkdirSync(folder, { recursive: true })
  for (const level of [baseOf(''), dirname(folder)]) enable(level)
  const { memoryBytes, cpu, processes = MAX_PROCESSES, weight = 1 } = limits
  writeFileSync(join(folder, 'memory.max'), String(memoryBytes))
  writeFileSync(join(folder, 'cpu.max'), `${cpu === undefined ? 'max' : quota(cpu)} ${PERIOD_MICROSECONDS}`)
  writeFileSync(join(folder, 'cpu.weight'), String(Math.round(100 * weight)))
  writeFileSync(join(folder, 'pids.max'), String(processes))
  return { procsFiles: [join(folder, 'cgroup.procs')], folders: { '.': folder } }
}

function enable(level: string) {
  const file = join(level, 'cgroup.subtree_control')
  const enabled = readFileSync(file, 'utf8').trim().split(/\s+/)
  const missing = CONTROLLERS_2.filter((controller) => !enabled.includes(controller))
  if (missing.length === 0) return
  const order = missing.map((controller) => `+${controller}`).join(' ')
  try {
    writeFileSync(file, order)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
    const own = join(level, OWN)
    mkdirSync(own, { recursive: true })
    const members = readFileSync(join(level, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
    for (const pid of members) writeFileSync(join(own, 'cgroup.procs'), pid)
    writeFileSync(file, order)
  }
}

function ensureVersion1(name: string, limits: CgroupLimits): SandboxCgroup {
  const folders: Record<string, string> = {}
  for (const controller of CONTROLLERS_1) {
    const folder = folderOf(controller, name)
    if (!existsSync(join(ROOT, controller, 'cgroup.procs'))) throw new Error(`no controller ${controller}`)
    mkdirSync(folder, { recursive: true })
    folders[controller] = folder
  }
  const set = (controller: string, file: string, value: number) =>
    writeFileSync(join(folders[controller] as string, file), String(value))
  const { memoryBytes, cpu, processes = MAX_PROCESSES, weight = 1 } = limits
  set('memory', 'memory.limit_in_bytes', memoryBytes)
  set('cpu', 'cpu.cfs_period_us', PERIOD_MICROSECONDS)
  set('cpu', 'cpu.cfs_quota_us', cpu === undefined ? -1 : quota(cpu))
  set('cpu', 'cpu.shares', Math.round(1024 * weight))
  set('pids', 'pids.max', processes)
  return { procsFiles: Object.values(folders).map((folder) => join(folder, 'cgroup.procs')), folders }
}

/** Processes in the cgroup called `name`, as the host numbers them. */
export function readCgroupMembers(name: string): number[] {
  for (const folder of [folderOf('', name), folderOf('pids', name)]) {
    try {
      return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').map(Number).filter(Boolean)
    } catch {
      // Not this version, or there is none of that name.
    }
  }
  return []
}

/** How many processes of the cgroup called `name` the kernel has ended because it was out of memory. */
export function countMemoryKills(name: string): number {
  for (const file of [
    join(folderOf('', name), 'memory.events'),
    join(folderOf('memory', name), 'memory.oom_control'),
  ]) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
    } catch {
      // Not this version, or there is none of that name.
    }
  }
  return 0
}

/**
 * Moves memory of what is frozen in a cgroup out to swap.
 * @returns bytes that became free; null where there is no swap to move it to, or no such cgroup
 */
export async function giveBack(name: string): Promise<number | null> {
  const hasSwap = readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1
  const files = [
    { folder: folderOf('', name), held: 'memory.current', order: 'memory.reclaim' },
    { folder: folderOf('memory', name), held: 'memory.usage_in_bytes', order: 'memory.force_empty' },
  ].find(({ folder, order }) => existsSync(join(folder, order)))
  if (!hasSwap || !files) return null
  const held = () => Number(readFileSync(join(files.folder, files.held), 'utf8'))
  const before = held()
  // Less than was asked for is given with an error; what counts is what became free.
  await writeFile(join(files.folder, files.order), String(before)).catch(() => undefined)
  return Math.max(0, before - held())
}

/** Removes the cgroup of a sandbox that has ended; waits a little for its last processes to go. */
export async function removeCgroup(name: string): Promise<void> {
  const folders = foldersOf(name)
  const remove = (folder: string) => {
    try {
      rmdirSync(folder)
    } catch {
      // A process is still ending in it, or it is not ours to remove: an empty cgroup costs nothing and is used again.
    }
    return !existsSync(folder)
  }
  await waitUntil(() => folders.filter((folder) => !remove(folder)).length === 0, LAST_PROCESS_MS)
}
