/**
 * Who runs on a DATA_DIR: the standalone itself, and the parts it started, so that a start after a `kill -9` can end
 * what was left over.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A process, told apart from a later one with the same number by when it began (clock ticks since boot). */
type Running = { pid: number; began: string }

export type DataDirLock = {
  /** Notes a part that was started. */
  note(name: string, pid: number): void
  release(): void
}

/**
 * Takes the folder for this process and ends parts that an earlier one left running.
 * @throws when another standalone runs on it.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'standalone.lock')
  const partsFile = join(dataDir, 'standalone.parts.json')
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(describe(process.pid)))
  try {
    while (!link(draft, file)) {
      const holder = read<Running>(file)
      if (holder && isRunning(holder)) {
        throw new Error(
          `Already running on ${dataDir} (process ${holder.pid}): stop it, or set DATA_DIR to another folder`,
        )
      }
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(draft)
  }
  await endLeftOver(Object.values(read<Record<string, Running>>(partsFile) ?? {}))

  const parts: Record<string, Running> = {}
  return {
    note(name, pid) {
      parts[name] = describe(pid)
      writeFileSync(`${partsFile}.new`, JSON.stringify(parts))
      renameSync(`${partsFile}.new`, partsFile) // killed in between, the next start still finds all of them
    },
    release() {
      rmSync(partsFile, { force: true })
      rmSync(file, { force: true })
    },
  }
}

async function endLeftOver(parts: Running[]) {
  const signal = (name: NodeJS.Signals) => {
    // Each part leads a process group of its own.
    for (const { pid } of parts.filter(isRunning)) process.kill(-pid, name)
  }
  signal('SIGTERM')
  const deadline = Date.now() + 5_000
  while (parts.some(isRunning)) {
    if (Date.now() > deadline) signal('SIGKILL')
    await delay(25)
  }
}

const describe = (pid: number): Running => ({ pid, began: beginningOf(pid) ?? '' })
const isRunning = ({ pid, began }: Running) => {
  const found = beginningOf(pid)
  return found !== undefined && found === began
}

function beginningOf(pid: number): string | undefined {
  try {
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' ? undefined : rest[18]
  } catch {
    return undefined
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
