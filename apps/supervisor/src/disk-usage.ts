/** Bytes that the volume's files take on the disk, as `du` counts them. */
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'

/** How long a figure holds: while somebody looks at it, and otherwise. */
const WATCHED_MS = 60_000
const UNWATCHED_MS = 5 * 60_000
/** Asking a file system costs nothing. */
const QUICK_MS = 10_000
/** Lets a game that has just ended be seen to have ended: a walk of ours would look like the last of it. */
const SOON_MS = 15_000
const LONGEST_MS = 10 * 60_000

export type DiskMeter = {
  /** What was measured last; null before the first time. */
  bytes(): number | null
  /** The same, and has it measured more often from now on; 0 before the first time. */
  watch(): number
  /** Measures a little later: much may have changed. */
  measureSoon(): void
  close(): void
}

export type DiskMeterOptions = {
  /** Whether the folder is a file system of its own, which knows what is taken. */
  hasQuota?: boolean
  /** Whether something may write much. */
  isBusy?: () => boolean
  onMeasured?: (bytes: number) => void
}

export function createDiskMeter(
  folder: string,
  { hasQuota = false, isBusy = () => false, onMeasured }: DiskMeterOptions = {},
): DiskMeter {
  let bytes: number | null = null
  let measuredAt = performance.now()
  let abort: AbortController | undefined
  let timer: NodeJS.Timeout
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void measure(), ms).unref()
  }

  async function measure() {
    if (abort) return
    abort = new AbortController()
    bytes = (await (hasQuota ? measureFileSystem(folder) : measureFolder(folder, { signal: abort.signal }))) ?? bytes
    measuredAt = performance.now()
    const isClosed = abort.signal.aborted
    abort = undefined
    if (isClosed) return
    if (bytes !== null) onMeasured?.(bytes)
    wait(hasQuota ? QUICK_MS : isBusy() ? WATCHED_MS : UNWATCHED_MS)
  }
  wait(0)

  return {
    bytes: () => bytes,
    watch() {
      if (performance.now() - measuredAt > (hasQuota ? 1000 : WATCHED_MS)) void measure()
      return bytes ?? 0
    },
    measureSoon: () => wait(SOON_MS),
    close() {
      clearTimeout(timer)
      abort?.abort()
    },
  }
}

async function measureFileSystem(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && (found.blocks - found.bfree) * found.bsize
}

/**
 * Undefined when it cannot be told. `without`: a name that is not counted. Done by `du`, which takes a fortieth of the time of a walk of our own, holds no more
 * than a path of open folders however deep they lie, follows no link, and gets the processor when nobody else wants it.
 */
export function measureFolder(
  folder: string,
  { signal, without }: { signal?: AbortSignal; without?: string } = {},
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: LONGEST_MS, ...(signal && { signal }) }
    // What cannot be read, or vanishes meanwhile, makes it fail; the sum of the rest still stands there.
    const left = without === undefined ? [] : [`--exclude=${without}`]
    execFile('nice', ['-n', '19', 'du', '-skx', ...left, '--', folder], options, (_error, text) => {
      const kibibytes = /^(\d+)\s/.exec(text)?.[1]
      resolve(kibibytes === undefined ? undefined : Number(kibibytes) * 1024)
    })
  })
}
