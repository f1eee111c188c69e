/** Files that come with messages. What they are is seen by their content; pictures are drawn anew in a box. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { ticketLimits } from '@wakestone/contract/primitives'
import type { Settings } from '@wakestone/kit/settings'
import { inspect, inspectedName, NotInspected } from '#src/adapters/inspector/run.ts'
import type { Context } from '#src/context.ts'
import { type AttachmentRow, findAttachment } from './repo.ts'

type Deps = Pick<Context, 'settings' | 'fleet' | 'logger'>
export type GivenFile = { name: string; bytes: Buffer }
export type KeptFile = Omit<AttachmentRow, 'message_id' | 'position' | 'created_at'>

const home = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>) => join(resolve(DATA_DIR), 'support')
const pathOf = (settings: Pick<Settings, 'DATA_DIR'>, id: string) => join(home(settings), 'attachments', id)

/** Files of a form, with the names that came beside them. @throws DomainError `file_is_too_large`, `invalid_file`. */
export async function readGiven(
  files: readonly { path: string; size: number }[],
  names: readonly string[],
): Promise<GivenFile[]> {
  const given: GivenFile[] = []
  for (const [index, { path, size }] of files.entries()) {
    if (size > ticketLimits.pictureBytes) throw tooLarge(ticketLimits.pictureBytes)
    given.push({ name: plainName(names[index] ?? ''), bytes: await readFile(path) })
  }
  return given
}

const tooLarge = (limit: number) => new DomainError('file_is_too_large', { resource: 'file', limit })

/** What people are shown: the last part of a path, of letters that can be seen. */
export function plainName(given: string): string {
  const last = given.replaceAll('\\', '/').split('/').at(-1) ?? ''
  const shown = last
    .replace(/[\p{C}<>:"|?*]/gu, '')
    .trim()
    .slice(0, 120)
  return shown === '' || /^\.+$/.test(shown) ? 'file' : shown
}

/**
 * Keeps files of one message; whoever writes the rows afterwards gives their ids back to `dropFiles` if that fails.
 * @throws DomainError `invalid_file` with its name, `file_is_too_large`.
 */
export async function keepFiles(deps: Deps, files: readonly GivenFile[]): Promise<KeptFile[]> {
  const kept: KeptFile[] = []
  try {
    for (const file of files) kept.push(await keepFile(deps, file))
    return kept
  } catch (error) {
    await dropFiles(deps.settings, kept)
    throw error
  }
}

/** Files of a mail: what is not taken is left out, because nobody could be told. */
export async function keepFittingFiles(
  deps: Deps,
  files: readonly GivenFile[],
): Promise<{ kept: KeptFile[]; leftOut: number }> {
  const kept: KeptFile[] = []
  let leftOut = Math.max(0, files.length - ticketLimits.files)
  for (const file of files.slice(0, ticketLimits.files)) {
    try {
      kept.push(await keepFile(deps, { ...file, name: plainName(file.name) }))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      leftOut++
    }
  }
  return { kept, leftOut }
}

export async function dropFiles(settings: Settings, files: readonly { id: string }[]): Promise<void> {
  for (const { id } of files) await rm(pathOf(settings, id), { force: true })
}

async function keepFile(deps: Deps, { name, bytes }: GivenFile): Promise<KeptFile> {
  const id = randomUUID()
  if (looksLikePicture(bytes)) {
    if (bytes.length > ticketLimits.pictureBytes) throw tooLarge(ticketLimits.pictureBytes)
    const { picture, width, height } = await drawAnew(deps, { name, bytes })
    await keep(deps.settings, id, picture)
    const stem = name.replace(/\.[^.]{1,8}$/, '')
    return { id, name: `${stem}.webp`, kind: 'picture', bytes: picture.length, width, height }
  }
  if (bytes.length > ticketLimits.textBytes) throw tooLarge(ticketLimits.textBytes)
  if (!isPlainText(bytes)) throw new DomainError('invalid_file', { resource: 'file', file: name })
  await keep(deps.settings, id, bytes)
  const named = /\.(?:txt|log|json|ya?ml|toml|properties|conf|cfg|md|csv)$/i.test(name) ? name : `${name}.txt`
  return { id, name: named, kind: 'text', bytes: bytes.length, width: null, height: null }
}

async function keep(settings: Settings, id: string, bytes: Buffer): Promise<void> {
  mkdirSync(join(home(settings), 'attachments'), { recursive: true, mode: 0o700 })
  const draft = `${pathOf(settings, id)}.draft`
  await writeFile(draft, bytes, { mode: 0o600 })
  await rename(draft, pathOf(settings, id))
}

/** A file for somebody who looks at its ticket: its writer, or support. Undefined for all others, and what is gone. */
export async function loadFor(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  id: string,
  { userId, isStaff }: { userId: string; isStaff: boolean },
): Promise<{ name: string; kind: string; content: Buffer } | undefined> {
  const found = await findAttachment(db, id)
  if (found === undefined || !(isStaff || (found.user_id === userId && !found.is_note))) return undefined
  const content = await readFile(pathOf(settings, id)).catch(() => undefined)
  return content && { name: found.name, kind: found.kind, content }
}

/** By how PNG, JPEG, GIF and WebP begin; whether they are that shows when they are drawn. */
function looksLikePicture(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  return (
    head.startsWith('\u0089PNG\r\n\u001A\n') ||
    head.startsWith('\u00FF\u00D8\u00FF') ||
    /^GIF8[79]a/.test(head) ||
    (head.startsWith('RIFF') && head.endsWith('WEBP'))
  )
}

/** UTF-8 without what only programs read, and no page: a browser may be made to show one. */
export function isPlainText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return false
  }
  // oxlint-disable-next-line no-control-regex -- they are what is looked for; escape is what terminals are coloured by
  return (
    !/[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/.test(text) && !/^\uFEFF?\s*<(?:!doctype|html|svg|\?xml)/i.test(text)
  )
}

async function drawAnew(
  { fleet, settings, logger }: Deps,
  { name, bytes }: GivenFile,
): Promise<{ picture: Buffer; width: number | null; height: number | null }> {
  const refused = () => new DomainError('invalid_file', { resource: 'file', file: name })
  mkdirSync(home(settings), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(home(settings), 'incoming-'))
  try {
    const file = join(folder, 'given')
    const outFolder = join(folder, 'out')
    await writeFile(file, bytes, { mode: 0o644 })
    mkdirSync(outFolder, { mode: 0o700 })
    const found = await inspect(fleet.cluster, { kind: 'media', file, as: 'image', outFolder }).catch(
      (error: unknown) => {
        if (!(error instanceof NotInspected)) throw error
        logger.warn({ error }, 'a picture of a ticket could not be drawn anew')
        throw refused()
      },
    )
    if (found.kind !== 'media') throw refused()
    const picture = await readOwn(join(outFolder, inspectedName))
    if (picture === undefined) throw refused()
    return { picture, width: found.width, height: found.height }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What stands there is the box's word: a plain file of a picture's size, or nothing. */
async function readOwn(path: string): Promise<Buffer | undefined> {
  const { constants } = await import('node:fs')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const facts = await file.stat()
    if (!facts.isFile() || facts.size === 0 || facts.size > 4 * ticketLimits.pictureBytes) return undefined
    const bytes = await file.readFile()
    return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP' ? bytes : undefined
  } finally {
    await file.close()
  }
}
