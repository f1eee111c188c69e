/** Looks at processes through `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Command line of a process; empty when there is none, or when it has ended and waits for its parent. */
export function readCommandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** When a process began, in clock ticks since boot; with the pid it names a process for as long as the machine runs. */
export function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/** The process's numbers from the outermost pid namespace to its own. */
function readNamespacePids(pid: number): number[] {
  try {
    const line = /^NSpid:\s*(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
    return line.split(/\s+/).map(Number)
  } catch {
    return []
  }
}

function readParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** Processes that were started with `argument` among their arguments. */
export function findByArgument(argument: string): number[] {
  return allPids().filter((pid) => readCommandLine(pid).includes(argument))
}

export const isNamespaceInit = (pid: number) => {
  const pids = readNamespacePids(pid)
  return pids.length > 1 && pids.at(-1) === 1
}

/** The first process that a sandbox's init has started: number 2 inside. Orphans that it adopts have higher numbers. */
export function findFirstChild(init: number): number | undefined {
  return allPids().find((pid) => readParent(pid) === init && readNamespacePids(pid).at(-1) === 2)
}

/** Polls until `check` holds; false when that takes longer than `ms`. */
export async function waitUntil(check: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const end = Date.now() + ms
  for (let pause = 5; !(await check()); pause = Math.min(pause * 1.5, 200)) {
    if (Date.now() > end) return false
    await sleep(pause)
  }
  return true
}
