/** Pictures and videos of projects: drawn anew in a box, kept by a hash of what they show. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { mediaKinds, type MediaKind, projectLimits } from '@wakestone/contract/marketplace/values'
import type { Settings } from '@wakestone/kit/settings'
import { inspect, inspectedName, NotInspected } from '#src/adapters/inspector/run.ts'
import type { Context } from '#src/context.ts'
import type { MediaRow } from './repo.ts'

export type GivenFile = { field: string; path: string; size: number }
export type MadeMedia = Omit<MediaRow, 'created_at' | 'project_id'> & { path: string }
type Deps = Pick<Context, 'settings' | 'fleet' | 'logger'>

const mostBytes: Record<MediaKind, number> = {
  icon: projectLimits.iconBytes,
  thumbnail: projectLimits.imageBytes,
  image: projectLimits.imageBytes,
  video: projectLimits.videoBytes,
}
const mediaFolder = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, projectId: string) =>
  join(resolve(DATA_DIR), 'marketplace', 'media', projectId)
export const mediaPath = (settings: Pick<Settings, 'DATA_DIR'>, projectId: string, name: string) =>
  join(mediaFolder(settings, projectId), name)

/**
 * Draws what was sent anew, one after the other. The files are thrown away by `work` being over.
 * @throws DomainError `invalid_file`, `file_is_too_large`, and `invalid_request` for what has no known name.
 */
export async function withMedia<Result>(
  deps: Deps,
  files: readonly GivenFile[],
  work: (made: readonly MadeMedia[]) => Promise<Result>,
): Promise<Result> {
  if (files.length === 0) return work([])
  const home = join(resolve(deps.settings.DATA_DIR), 'marketplace', 'incoming')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(home, 'media-'))
  try {
    const made: MadeMedia[] = []
    for (const [index, file] of files.entries()) made.push(await makeMedia(deps, file, join(folder, String(index))))
    return await work(made)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeMedia({ fleet, logger }: Deps, file: GivenFile, outFolder: string): Promise<MadeMedia> {
  const kind = mediaKinds.find((one) => one === file.field)
  if (kind === undefined) throw new DomainError('invalid_request', { [file.field.slice(0, 40)]: mediaKinds.join(', ') })
  if (file.size > mostBytes[kind])
    throw new DomainError('file_is_too_large', { resource: 'file', limit: mostBytes[kind], file: kind })
  const refused = () => new DomainError('invalid_file', { resource: 'file', file: kind })
  mkdirSync(outFolder, { mode: 0o700 })
  const found = await inspect(fleet.cluster, { kind: 'media', file: file.path, as: kind, outFolder }).catch(
    (error: unknown) => {
      if (!(error instanceof NotInspected)) throw error
      logger.warn({ error }, 'a picture of a project could not be drawn anew')
      throw refused()
    },
  )
  if (found.kind !== 'media') throw refused()
  // What stands there is the box's word: a plain file of a picture's size, or nothing.
  const made = join(outFolder, inspectedName)
  const bytes = await readOwn(made, kind === 'video' ? projectLimits.videoBytes : 4 * projectLimits.imageBytes)
  if (bytes === undefined || !looksRight(kind, bytes)) throw refused()
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const name = `${kind}-${digest}.${kind === 'video' ? 'webm' : 'webp'}`
  return { name, kind, bytes: bytes.length, width: found.width, height: found.height, path: made }
}

async function readOwn(path: string, most: number): Promise<Buffer | undefined> {
  const { constants } = await import('node:fs')
  const { open } = await import('node:fs/promises')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const facts = await file.stat()
    return facts.isFile() && facts.size > 0 && facts.size <= most ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

const looksRight = (kind: MediaKind, bytes: Buffer) =>
  kind === 'video'
    ? bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3
    : bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'

/** Puts them where they are shown from; one that is there stays. */
export async function keepMedia(settings: Settings, projectId: string, made: readonly MadeMedia[]): Promise<void> {
  mkdirSync(mediaFolder(settings, projectId), { recursive: true, mode: 0o700 })
  for (const { name, path } of made) {
    const target = mediaPath(settings, projectId, name)
    if (existsSync(target)) continue
    const draft = `${target}.${process.pid}`
    await copyFile(path, draft)
    await rename(draft, target)
  }
}

export async function dropMedia(settings: Settings, projectId: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(mediaPath(settings, projectId, name), { force: true })
}

export function readMedia(settings: Settings, projectId: string, name: string): Promise<Buffer | undefined> {
  return readFile(mediaPath(settings, projectId, name)).catch(() => undefined)
}
