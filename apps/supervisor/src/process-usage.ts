/** CPU time and memory of this supervisor and of everything it started, from the sandbox's cgroup or from `/proc`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** How often the kernel has killed in this cgroup for want of memory. */
export function countMemoryKills(cgroup: string | null): number {
  if (!cgroup) return 0
  for (const file of ['memory.events', 'memory/memory.oom_control']) {
    const path = join(cgroup, file)
    if (existsSync(path)) return readField(path, 'oom_kill')
  }
  return 0
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
  const parents = new Map<number, { parent: number; ticks: number; pages: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program, in parentheses, may hold anything.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${name}/statm`, 'utf8').split(' ').map(Number)
      const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0)
      parents.set(Number(name), { parent: fields[1] ?? 0, ticks, pages: Math.max(0, resident - shared) })
    } catch {
      // Ended while we looked.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at !== 0; at = parents.get(at)?.parent) {
      if (at === process.pid) return true
    }
    return false
  }
  const usage = { cpuSeconds: 0, memoryBytes: 0 }
  for (const [pid, { ticks, pages }] of parents) {
    if (!isOurs(pid)) continue
    usage.cpuSeconds += ticks / TICKS_PER_SECOND
    usage.memoryBytes += pages * PAGE_BYTES
  }
  return usage
}
