/** Pictures and videos that somebody sends: drawn anew in a box, called by what they show. */
import { createHash } from 'node:crypto'
import { constants, mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureKind } from '@wakestone/protocol/inspection'
import type { Logger } from '@wakestone/kit/logger'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'
import { inspect, inspectedName, NotInspected } from './run.ts'

export type Redrawn = {
  /** Where it lies, within the folder that was given. */
  path: string
  content: Buffer
  /** 32 digits of a hash of it. */
  digest: string
  /** Pixels; null of a video. */
  width: number | null
  height: number | null
}

/**
 * @param given `outFolder`: made here, for it alone; `most`: bytes of what is made.
 * @returns undefined where the file is not what it should be.
 * @throws Error where no box can be started.
 */
export async function redraw(
  { cluster, logger }: { cluster: Pick<Cluster, 'runTask' | 'remove'>; logger: Logger },
  { file, as, outFolder, most }: { file: string; as: PictureKind; outFolder: string; most: number },
): Promise<Redrawn | undefined> {
  mkdirSync(outFolder, { mode: 0o700 })
  const found = await inspect(cluster, { kind: 'media', file, as, outFolder }).catch((error: unknown) => {
    if (!(error instanceof NotInspected)) throw error
    logger.warn({ error }, 'a picture could not be drawn anew')
    return undefined
  })
  if (found?.kind !== 'media') return undefined
  // What stands there is the box's word: a plain file of a picture's size, or nothing.
  const path = join(outFolder, inspectedName)
  const content = await readPlain(path, most)
  if (content === undefined || !looksRight(as, content)) return undefined
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 32)
  return { path, content, digest, width: found.width, height: found.height }
}

async function readPlain(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const facts = await file.stat()
    return facts.isFile() && facts.size > 0 && facts.size <= most ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

const looksRight = (kind: PictureKind, bytes: Buffer) =>
  kind === 'video'
    ? bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3
    : bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
