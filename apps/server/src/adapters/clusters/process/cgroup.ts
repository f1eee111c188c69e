/**
 * Kernel limits for one sandbox. They need a writable cgroup hierarchy, version 1 or 2: root has it all, an ordinary user
 * that part in which it runs itself, if it was given to it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { waitUntil } from './processes.ts'

/** The machine's cgroups; tests have folders of their own. */
export type CgroupHost = {
  root: string
  /** Whether all of it is ours. */
  isRoot: boolean
  /** As `/proc/self/cgroup` tells it. */
  own: () => string
}
const thisMachine: CgroupHost = {
  root: '/sys/fs/cgroup',
  isRoot: process.getuid?.() === 0,
  own: () => readFileSync('/proc/self/cgroup', 'utf8'),
}
/** Threads too. */
export const MAX_PROCESSES = 512
const LAST_PROCESS_MS = 2000
const PERIOD_MICROSECONDS = 100_000

export type SandboxCgroup = {
  /** Files into which a process writes its pid to enter. */
  procsFiles: string[]
  /** Folders to show inside the sandbox: name below its cgroup folder, `.` for that folder itself → folder here. */
  folders: Record<string, string>
  /** Into which the game's first process writes itself, where the game has one beside its supervisor's. */
  gameProcsFile?: string
  /** The same for MySQL. */
  mysqlProcsFile?: string
}

export type CgroupLimits = {
  memoryBytes: number
  /** Of these, the game's own: it has a cgroup beside its supervisor's then, and what is too much for it ends it alone. */
  gameBytes?: number
  /** And those of MySQL, where the game has its own and there is one. */
  mysqlBytes?: number
  /** Cores; as many as there are where it is missing. */
  cpu?: number
  /** Threads too; 512 where it is missing. */
  processes?: number
  /** Of the processor's time, when there is not enough for all; 1 where it is missing. */
  weight?: number
}

/** Cgroups of a supervisor, of its game and of its MySQL, in the one that has the limits of all. */
const [SUPERVISOR, GAME, MYSQL] = ['supervisor', 'game', 'mysql'] as const

/** Makes or updates the cgroup called `name`. @throws Error where that cannot be done */
export function makeCgroup(name: string, limits: CgroupLimits, host: CgroupHost = thisMachine): SandboxCgroup {
  return isVersion2(host) ? makeVersion2(name, limits, host) : makeVersion1(name, limits, host)
}

/** Why no limits can be set; undefined where they can. Tried with a cgroup of nobody's. */
export function findCgroupFault(host: CgroupHost = thisMachine): string | undefined {
  const name = `trial-${process.pid}`
  try {
    makeCgroup(name, { memoryBytes: 2 ** 30, gameBytes: 2 ** 29, cpu: 1 }, host)
    return undefined
  } catch (error) {
    return `no cgroup can be made: ${(error as Error).message}`
  } finally {
    for (const folder of foldersOf(name, host)) if (existsSync(folder)) rmdirSync(folder)
  }
}

const isVersion2 = ({ root }: CgroupHost) => existsSync(join(root, 'cgroup.controllers'))
const CONTROLLERS_1 = ['memory', 'cpu', 'cpuacct', 'pids']
const CONTROLLERS_2 = ['memory', 'cpu', 'pids']
/** Takes in what runs where sandboxes' cgroups are made: version 2 wants a cgroup to hold processes or others. */
const OWN = 'control'

/** The cgroup in which those of sandboxes are made; `controller` is empty for version 2. */
function baseOf(controller: string, { root, isRoot, own }: CgroupHost): string {
  const folder = join(root, controller)
  if (isRoot) return folder
  const lines = own().trim().split('\n')
  const path = lines
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line)!)
    .find(([, names]) => (names as string).split(',').includes(controller))?.[2]
  return join(folder, (path ?? '').replace(new RegExp(`/${OWN}$`), ''))
}
const folderOf = (controller: string, name: string, host: CgroupHost) =>
  join(baseOf(controller, host), 'wakestone', name)
/** Those within others first. */
const foldersOf = (name: string, host: CgroupHost) =>
  ['', ...CONTROLLERS_1]
    .map((controller) => folderOf(controller, name, host))
    .flatMap((folder) => [join(folder, MYSQL), join(folder, GAME), join(folder, SUPERVISOR), folder])
const quota = (cpu: number) => Math.max(1000, Math.round(cpu * PERIOD_MICROSECONDS))

function makeVersion2(name: string, limits: CgroupLimits, host: CgroupHost): SandboxCgroup {
  const folder = folderOf('', name, host)
  mkdirSync(folder, { recursive: true })
  for (const level of [baseOf('', host), dirname(folder)]) enable(level, CONTROLLERS_2)
  const { memoryBytes, gameBytes, mysqlBytes, cpu, processes = MAX_PROCESSES, weight = 1 } = limits
  writeFileSync(join(folder, 'memory.max'), String(memoryBytes))
  writeFileSync(join(folder, 'cpu.max'), `${cpu === undefined ? 'max' : quota(cpu)} ${PERIOD_MICROSECONDS}`)
  writeFileSync(join(folder, 'cpu.weight'), String(Math.round(100 * weight)))
  writeFileSync(join(folder, 'pids.max'), String(processes))
  if (gameBytes === undefined) {
    writeWhereKnown(join(folder, 'memory.swap.max'), '0')
    return { procsFiles: [join(folder, 'cgroup.procs')], folders: { '.': folder } }
  }
  enable(folder, ['memory'])
  const [supervisor, game, mysql] = [join(folder, SUPERVISOR), join(folder, GAME), join(folder, MYSQL)]
  const own = mysqlBytes === undefined ? [supervisor, game] : [supervisor, game, mysql]
  for (const one of own) mkdirSync(one, { recursive: true })
  writeFileSync(join(game, 'memory.max'), String(gameBytes))
  if (mysqlBytes !== undefined) writeFileSync(join(mysql, 'memory.max'), String(mysqlBytes))
  // What a game may have is memory. It is moved to swap by our order alone, while it is frozen.
  for (const one of own) writeWhereKnown(join(one, 'memory.swap.max'), '0')
  // A game that has lost one of its processes is none.
  writeWhereKnown(join(game, 'memory.oom.group'), '1')
  return {
    procsFiles: [join(supervisor, 'cgroup.procs')],
    folders: { '.': folder },
    gameProcsFile: join(game, 'cgroup.procs'),
    ...(mysqlBytes !== undefined && { mysqlProcsFile: join(mysql, 'cgroup.procs') }),
  }
}

/** Kernels are built without some of what can be limited. */
function writeWhereKnown(file: string, value: string) {
  try {
    writeFileSync(file, value)
  } catch {
    // Then there is nothing to limit.
  }
}

function enable(level: string, controllers: string[]) {
  const file = join(level, 'cgroup.subtree_control')
  const enabled = readFileSync(file, 'utf8').trim().split(/\s+/)
  const missing = controllers.filter((controller) => !enabled.includes(controller))
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

function makeVersion1(name: string, limits: CgroupLimits, host: CgroupHost): SandboxCgroup {
  const folders: Record<string, string> = {}
  for (const controller of CONTROLLERS_1) {
    const folder = folderOf(controller, name, host)
    if (!existsSync(join(host.root, controller, 'cgroup.procs'))) throw new Error(`no controller ${controller}`)
    mkdirSync(folder, { recursive: true })
    folders[controller] = folder
  }
  const set = (controller: string, file: string, value: number) =>
    writeFileSync(join(folders[controller] as string, file), String(value))
  const { memoryBytes, gameBytes, mysqlBytes, cpu, processes = MAX_PROCESSES, weight = 1 } = limits
  limitMemory1(folders['memory'] as string, memoryBytes)
  set('cpu', 'cpu.cfs_period_us', PERIOD_MICROSECONDS)
  set('cpu', 'cpu.cfs_quota_us', cpu === undefined ? -1 : quota(cpu))
  set('cpu', 'cpu.shares', Math.round(1024 * weight))
  set('pids', 'pids.max', processes)
  const procsOf = (folder: string) => join(folder, 'cgroup.procs')
  if (gameBytes === undefined) return { procsFiles: Object.values(folders).map(procsOf), folders }
  const { memory, ...others } = folders
  const [supervisor = '', game = '', mysql = ''] = [SUPERVISOR, GAME, MYSQL].map((one) => join(memory as string, one))
  for (const one of [supervisor, game]) mkdirSync(one, { recursive: true })
  limitMemory1(game, gameBytes)
  if (mysqlBytes !== undefined) {
    mkdirSync(mysql, { recursive: true })
    limitMemory1(mysql, mysqlBytes)
  }
  return {
    procsFiles: [supervisor, ...Object.values(others)].map(procsOf),
    folders,
    gameProcsFile: procsOf(game),
    ...(mysqlBytes !== undefined && { mysqlProcsFile: procsOf(mysql) }),
  }
}

/** Memory and swap together: what is moved out is not to be had again. */
function limitMemory1(folder: string, bytes: number) {
  const both = join(folder, 'memory.memsw.limit_in_bytes')
  // The kernel wants the limit of both never to be the lower one.
  writeWhereKnown(both, '-1')
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes))
  writeWhereKnown(both, String(bytes))
}

/** Processes in the cgroup called `name` and those within it, as the host numbers them. */
export function readCgroupMembers(name: string, host: CgroupHost = thisMachine): number[] {
  for (const folder of [folderOf('', name, host), folderOf('pids', name, host)]) {
    const members = [folder, ...[SUPERVISOR, GAME, MYSQL].map((one) => join(folder, one))].map(readMembers)
    if (members[0] !== undefined) return members.flatMap((pids) => pids ?? [])
  }
  return []
}

/** Through which processes enter what is the game's and what is MySQL's in the cgroup called `name`, where there are such. */
export function findProcsFiles(
  name: string,
  host: CgroupHost = thisMachine,
): Pick<SandboxCgroup, 'gameProcsFile' | 'mysqlProcsFile'> {
  const folders = [folderOf('', name, host), folderOf('memory', name, host)]
  const find = (one: string) =>
    folders.map((folder) => join(folder, one, 'cgroup.procs')).find((file) => existsSync(file))
  const [gameProcsFile, mysqlProcsFile] = [find(GAME), find(MYSQL)]
  return {
    ...(gameProcsFile !== undefined && { gameProcsFile }),
    ...(mysqlProcsFile !== undefined && { mysqlProcsFile }),
  }
}

function readMembers(folder: string): number[] | undefined {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').map(Number).filter(Boolean)
  } catch {
    return undefined // not this version, or there is none of that name
  }
}

/** How many processes of the cgroup called `name` the kernel has ended because it was out of memory. */
export function countMemoryKills(name: string, host: CgroupHost = thisMachine): number {
  for (const file of [
    join(folderOf('', name, host), 'memory.events'),
    join(folderOf('memory', name, host), 'memory.oom_control'),
  ]) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
    } catch {
      // Not this version, or there is none of that name.
    }
  }
  return 0
}

const hasSwap = () => readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1

/**
 * Moves memory of what is frozen in a cgroup out to swap: the game's alone, where it has one beside its supervisor's.
 * @returns bytes that became free; null where there is no swap to move it to, or no such cgroup
 */
export async function giveBack(name: string, host: CgroupHost = thisMachine, swaps = hasSwap): Promise<number | null> {
  const files = [
    { folder: folderOf('', name, host), held: 'memory.current', order: 'memory.reclaim' },
    { folder: folderOf('memory', name, host), held: 'memory.usage_in_bytes', order: 'memory.force_empty' },
  ]
    .flatMap(({ folder, ...rest }) => [
      { folder: join(folder, GAME), ...rest },
      { folder, ...rest },
    ])
    .find(({ folder, order }) => existsSync(join(folder, order)))
  if (!swaps() || !files) return null
  const held = () => Number(readFileSync(join(files.folder, files.held), 'utf8'))
  const before = held()
  const swapped = join(files.folder, 'memory.swap.max')
  const isBounded = existsSync(swapped)
  if (isBounded) writeWhereKnown(swapped, String(before))
  // Less than was asked for is given with an error; what counts is what became free.
  await writeFile(join(files.folder, files.order), String(before)).catch(() => undefined)
  // What has gone out stays there until it is used; no more follows.
  if (isBounded) writeWhereKnown(swapped, '0')
  return Math.max(0, before - held())
}

/** Removes the cgroup of a sandbox that has ended; waits a little for its last processes to go. */
export async function removeCgroup(name: string, host: CgroupHost = thisMachine): Promise<void> {
  const folders = foldersOf(name, host)
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
