/** Looks at processes through `/proc`. Nothing of what a process says of itself, its command line least, is believed. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Names one process for as long as the machine runs: numbers are given again, but not for the same moment. */
export type ProcessIdentity = { pid: number; startTime: string }

type ProcessState = { state: string; parent: number; startTime: string }

function readProcess(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] as string, parent: Number(fields[1]), startTime: fields[19] as string }
  } catch {
    return undefined
  }
}

/** When a process began, in clock ticks since boot. */
export const readStartTime = (pid: number) => readProcess(pid)?.startTime

/** Undefined for what has ended, even if nobody has waited for it yet. */
export function identify(pid: number): ProcessIdentity | undefined {
  const found = readProcess(pid)
  return found && !hasEnded(found) ? { pid, startTime: found.startTime } : undefined
}

const hasEnded = ({ state }: ProcessState) => state === 'Z' || state === 'X'

export const isAlive = ({ pid, startTime }: ProcessIdentity) => identify(pid)?.startTime === startTime

/** Changes with every start of the machine, after which numbers of processes mean others. */
export const readBootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

/** Inode of the pid namespace of a process. */
export function readPidNamespace(pid: number): number | undefined {
  try {
    return Number(/^pid:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[1])
  } catch {
    return undefined
  }
}

/** The number of a process in its own pid namespace; undefined when that is ours. */
function readInnerPid(pid: number): number | undefined {
  try {
    const line = /^NSpid:\s*(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
    const pids = line.split(/\s+/)
    return pids.length > 1 ? Number(pids.at(-1)) : undefined
  } catch {
    return undefined
  }
}

const allPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Whether a process is in every respect that user's, and so cannot be another one of the same sandbox. */
export function isUser(pid: number, user: number): boolean {
  try {
    const line = /^Uid:\s*(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
    return line.split(/\s+/).every((id) => Number(id) === user)
  } catch {
    return false
  }
}

/** Whether a process runs one of these programs, by their paths. */
export function isProgram(pid: number, programs: readonly string[]): boolean {
  try {
    return programs.includes(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return false
  }
}

/** All living processes of a pid namespace. */
export const findMembers = (namespace: number) =>
  allPids().filter((pid) => readPidNamespace(pid) === namespace && identify(pid) !== undefined)

export const isNamespaceInit = (pid: number) => readInnerPid(pid) === 1

/** The first process that a sandbox's init has started: number 2 inside. Orphans that it adopts have higher numbers. */
export function findFirstChild(init: number): number | undefined {
  return readChildren(init).find((pid) => readInnerPid(pid) === 2)
}

export function readChildren(pid: number): number[] {
  return allPids().filter((other) => readProcess(other)?.parent === pid)
}

/** Children of a process, their children, and so on. What was orphaned meanwhile is not found. */
export function readDescendants(pid: number): number[] {
  const parents = allPids().map((other) => [other, readProcess(other)?.parent] as const)
  const found = [pid]
  for (const next of found) {
    for (const [other, parent] of parents) if (parent === next) found.push(other)
  }
  return found.slice(1)
}

export function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone already.
  }
}

/** Polls until `check` holds; false when that takes longer than `ms`. */
/** What a process is at, for a message to us: its program, its state and what it waits for in the kernel. */
export function tellWhere(pid: number): string {
  const read = (file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim()
    } catch {
      return 'unknown'
    }
  }
  return `${read('comm')} in state ${readProcess(pid)?.state ?? 'unknown'} at ${read('wchan')}`
}

export async function waitUntil(check: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const end = Date.now() + ms
  for (let pause = 5; !(await check()); pause = Math.min(pause * 1.5, 200)) {
    if (Date.now() > end) return false
    await sleep(pause)
  }
  return true
}
