/** The processes that can be seen, as `/proc` shows them. */
import { readdirSync, readFileSync } from 'node:fs'

export type ProcessStat = {
  pid: number
  /** One letter, as `ps` shows it. */
  state: string
  parent: number
  group: number
  session: number
  /** Clock ticks of its own, and of those children of its that it has waited for. */
  ticks: number
}

export function listProcesses(): ProcessStat[] {
  const found: ProcessStat[] = []
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(`/proc/${name}/stat`) : undefined
    if (stat !== undefined) found.push(stat)
  }
  return found
}

/** Undefined for one that has ended. */
export function readStat(path: string): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  // The name of the program, in parentheses, may hold anything.
  const [state = '', ...numbers] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const fields = numbers.map(Number)
  const [parent = 0, group = 0, session = 0] = fields
  const ticks = [10, 11, 12, 13].reduce((sum, index) => sum + (fields[index] ?? 0), 0)
  return { pid: Number.parseInt(text, 10), state, parent, group, session, ticks }
}

/** Whether a process descends from another one, or is it. */
export function createDescent(all: readonly ProcessStat[]): (pid: number, ancestor: number) => boolean {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  return (pid, ancestor) => {
    // A number that was given anew while we looked could close a circle.
    const seen = new Set<number>()
    for (let at: number | undefined = pid; at !== undefined && at !== 0 && !seen.has(at); at = parents.get(at)) {
      if (at === ancestor) return true
      seen.add(at)
    }
    return false
  }
}
