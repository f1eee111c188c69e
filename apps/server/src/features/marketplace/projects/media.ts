/** Pictures and videos of projects: drawn anew in a box, kept by a hash of what they show. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { mediaKinds, type MediaKind, projectLimits } from '@wakestone/contract/marketplace/values'
import type { Settings } from '@wakestone/kit/settings'
import { redraw } from '#src/adapters/inspector/redraw.ts'
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
  const found = await redraw(
    { cluster: fleet.cluster, logger },
    {
      file: file.path,
      as: kind,
      outFolder,
      most: kind === 'video' ? projectLimits.videoBytes : 4 * projectLimits.imageBytes,
    },
  )
  if (found === undefined) throw new DomainError('invalid_file', { resource: 'file', file: kind })
  const { content, digest, width, height, path } = found
  const name = `${kind}-${digest}.${kind === 'video' ? 'webm' : 'webp'}`
  return { name, kind, bytes: content.length, width, height, path }
}

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
