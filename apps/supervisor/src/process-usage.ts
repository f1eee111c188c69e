/** CPU time and memory of this supervisor and of everything it started, from the sandbox's cgroup or from `/proc`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDescent, listProcesses } from './proc.ts'

export type Usage = { cpuSeconds: number; memoryBytes: number }

// Both are the same on every Linux that Node supports.
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

export function createUsageReader({ cgroup }: { cgroup: string | null }): () => Usage {
  if (cgroup && existsSync(join(cgroup, 'memory.current'))) return () => readCgroup2(cgroup)
  if (cgroup && existsSync(join(cgroup, 'memory/memory.stat')) && existsSync(join(cgroup, 'cpuacct/cpuacct.usage'))) {
    return () => readCgroup1(cgroup)
  }
  return readProcesses
}

/** In version 1 each cgroup counts for itself, in version 2 also for those within it. */
const killFiles = ['memory.events', 'memory/memory.oom_control', 'memory/game/memory.oom_control']

/** How often the kernel has killed in this cgroup for want of memory. */
export function countMemoryKills(cgroup: string | null): number {
  if (!cgroup) return 0
  return killFiles
    .map((file) => join(cgroup, file))
    .filter((path) => existsSync(path))
    .reduce((kills, path) => kills + readField(path, 'oom_kill'), 0)
}

function readCgroup2(cgroup: string): Usage {
  const stat = join(cgroup, 'memory.stat')
  return {
    cpuSeconds: readField(join(cgroup, 'cpu.stat'), 'usage_usec') / 1e6,
    memoryBytes: readField(stat, 'anon') + readField(stat, 'shmem'),
  }
}

function readCgroup1(cgroup: string): Usage {
  const stat = join(cgroup, 'memory/memory.stat')
  return {
    cpuSeconds: Number(readFileSync(join(cgroup, 'cpuacct/cpuacct.usage'), 'utf8')) / 1e9,
    memoryBytes: readField(stat, 'total_rss') + readField(stat, 'total_shmem'),
  }
}

function readField(path: string, field: string): number {
  return Number(new RegExp(`^${field} (\\d+)$`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
}

/** CPU time of processes that have ended goes to those that waited for them, and so is counted there. */
function readProcesses(): Usage {
  const all = listProcesses()
  const descends = createDescent(all)
  const usage = { cpuSeconds: 0, memoryBytes: 0 }
  for (const { pid, ticks } of all) {
    if (!descends(pid, process.pid)) continue
    usage.cpuSeconds += ticks / TICKS_PER_SECOND
    usage.memoryBytes += readPrivatePages(pid) * PAGE_BYTES
  }
  return usage
}

function readPrivatePages(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
    return Math.max(0, resident - shared)
  } catch {
    return 0 // ended while we looked
  }
}
