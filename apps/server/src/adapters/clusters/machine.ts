/** The machine that this process is on, which is the one below every cluster of the driver `process`. */
import { statfs } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'

type Share = { total: number; free: number }

/** Room of the file system that a folder is on, in bytes; `free` is what an ordinary user may still take. */
export async function roomOf(folder: string): Promise<Share> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { total: blocks * bsize, free: bavail * bsize }
}

/** `load`: processes that want a core, on the average of a minute. */
export async function measureMachine(dataDir: string) {
  return {
    memory: { total: totalmem(), free: freemem() },
    storage: await roomOf(dataDir),
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
  }
}
