/**
 * Archives that are unpacked: `bsdtar` decodes, and what it writes as a tar stream is laid aside by us, with limits and fixed
 * permissions, then placed. What leads out of the folder spoils the whole; pipes, devices and links that lead out are left out.
 */
import {
  closeSync,
  constants,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import {
  archiveDepth,
  archiveEntries,
  archiveRatio,
  nameOfBytes,
  ratioFreeBytes,
  type UnpackMode,
} from '@wakestone/protocol/file-values'
import { openArchive } from './archive-file.ts'
import { errnoOf, FileError } from './errors.ts'
import type { Context, Planned } from './jobs.ts'
import { joinInto } from './joining.ts'
import { createTarReader, type TarEntry, type TarHandler } from './tar-stream.ts'
import { runTool, startTool, type Tool } from './tool.ts'
import { type Folder, openFolderIn, type Volume } from './volume.ts'

/** Room that is asked for at a time. */
const STEP = 4 * 1024 * 1024
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

export function planUnpack(
  volume: Volume,
  { path, to, overwrite, entries }: { path: string; to: string; overwrite: UnpackMode; entries?: string[] },
): Planned {
  openArchive(volume, path)[Symbol.dispose]()
  return {
    paths: [path],
    to,
    overwrite,
    async work(context) {
      await unpackAside(context, volume, { path, entries })
      const place = await joinInto(volume, { from: `${context.stagePath}/out`, to, overwrite })
      return place
    },
  }
}

/** Lays what is in an archive into `out` of the job's own folder. */
export async function unpackAside(
  context: Context,
  volume: Volume,
  { path, entries }: { path: string; entries: string[] | undefined },
): Promise<void> {
  using archive = openArchive(volume, path)
  using stage = context.openStage()
  mkdirSync(stage.at('out'), { mode: 0o755 })
  await archive.join(stage, context)
  const { command, parameters, fd } = archive
  const isSingle = archive.single !== undefined
  const tool = startTool(command, parameters, {
    fds: [fd()],
    signal: context.signal,
    nice: 5,
    onComplaint: (text) => ASKS.test(text) && tool.end(),
  })
  // As it writes a stream it minds no checksum of a file.
  const check = archive.isTar || isSingle ? undefined : startCheck(fd(), context.signal)
  using out = openFolderIn(stage, 'out')
  using writer = createWriter(context, { out, packed: archive.size, entries })
  const reader = isSingle ? createSingleReader(writer, archive.single!) : createTarReader(writer)
  try {
    let promised = 0
    for await (const chunk of tool.out as AsyncIterable<Buffer>) {
      if (context.progress.bytes + chunk.length > promised) {
        promised += STEP
        await context.reserve(STEP)
      }
      reader.push(chunk)
      await context.turn()
    }
  } catch (error) {
    tool.end()
    check?.end()
    throw error
  }
  await checkEnd(tool.ended)
  if (check) await checkEnd(check.ended)
  reader.finish()
  if (writer.count() === 0) throw new FileError('invalid_file', { reason: 'empty' })
  await runTool('sync', ['-f', '/proc/self/fd/3/.'], { fds: [out.fd], signal: context.signal })
}

function startCheck(fd: number, signal: AbortSignal): Tool {
  const tool = startTool('bsdtar', ['-xOf', '/proc/self/fd/3'], {
    fds: [fd],
    stdout: 'ignore',
    signal,
    nice: 5,
    onComplaint: (text) => ASKS.test(text) && tool.end(),
  })
  return tool
}

/** `bsdtar` asks for a password again and again where nobody answers. */
const ASKS = /passphrase/i
/** It goes on after these, and what they are about is there. */
const HARMLESS = /Can't translate|Error exit delayed|^\s*$/

export async function checkEnd(ended: Promise<{ code: number | null; complaint: string }>): Promise<void> {
  const { code, complaint } = await ended
  if (/passphrase|encrypt/i.test(complaint)) throw new FileError('archive_is_encrypted')
  if (code === 0 || (code === 1 && complaint.split('\n').every((line) => HARMLESS.test(line)))) return
  // The box has so much memory, and some archives ask for more.
  if (code === null) throw new FileError('archive_is_too_large', { reason: 'memory' })
  throw new FileError('invalid_file', {
    reason: complaint
      .trim()
      .split('\n', 1)[0]!
      .replace(/^\w+: /, '')
      .slice(0, 200),
  })
}

type Writer = TarHandler & { count(): number; [Symbol.dispose](): void }

/** Lays entries into a folder that nobody else looks into, though the game could: no step follows a link. */
function createWriter(
  { progress, wrote }: Context,
  { out, packed, entries }: { out: Folder; packed: number; entries: string[] | undefined },
): Writer {
  /** Folders that are open: those above the entry before. */
  const above: { name: string; folder: Folder }[] = []
  let count = 0
  let file: { fd: number; mtime: number } | undefined
  const isWanted = (path: string) =>
    !entries || entries.some((wanted) => path === wanted || path.startsWith(`${wanted}/`))

  function folderAbove(names: string[]): Folder {
    let same = 0
    while (same < above.length && same < names.length - 1 && above[same]!.name === names[same]) same++
    for (const { folder } of above.splice(same)) folder[Symbol.dispose]()
    for (const name of names.slice(same, -1)) above.push({ name, folder: enter(above.at(-1)?.folder ?? out, name) })
    return above.at(-1)?.folder ?? out
  }

  function enter(folder: Folder, name: string): Folder {
    try {
      return openFolderIn(folder, name)
    } catch (error) {
      if (errnoOf(error) === 'ENOTDIR') throw new FileError('invalid_file', { reason: 'path' })
      if (errnoOf(error) !== 'ENOENT') throw error
      mkdirSync(folder.at(name), { mode: 0o755 })
      return openFolderIn(folder, name)
    }
  }

  /** The later one of a name counts, as anywhere. */
  function anew<T>(folder: Folder, name: string, make: () => T): T {
    try {
      return make()
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      unlinkSync(folder.at(name))
      return make()
    }
  }

  function lay(entry: TarEntry): void {
    if (++count > archiveEntries)
      throw new FileError('archive_is_too_large', { reason: 'entries', limit: archiveEntries })
    const names = namesOf(entry.path)
    if (entry.isSparse || names.some((name) => name.startsWith('GNUSparseFile')))
      throw new FileError('archive_is_too_large', { reason: 'sparse' })
    if (names.length > archiveDepth)
      throw new FileError('archive_is_too_large', { reason: 'depth', limit: archiveDepth })
    const path = names.join('/')
    progress.item = path
    progress.done++
    const name = names.at(-1)
    if (name === undefined || !isWanted(path) || entry.type === 'other') return
    const folder = folderAbove(names)
    switch (entry.type) {
      case 'folder':
        enter(folder, name)[Symbol.dispose]()
        break
      case 'file': {
        const mode = (entry.mode & 0o111) === 0 ? 0o644 : 0o755
        const at = folder.at(name)
        const fd = anew(folder, name, () => openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode))
        file = { fd, mtime: entry.mtime }
        break
      }
      case 'link':
        if (staysWithin(names, entry.target)) anew(folder, name, () => symlinkSync(entry.target, folder.at(name)))
        break
      case 'hard link':
        linkTo(namesOf(entry.target), folder, name)
    }
  }

  /** Another name of a file that came before. */
  function linkTo(names: string[], folder: Folder, name: string): void {
    let source = openFolderIn(out, '.')
    try {
      for (const inner of names.slice(0, -1)) {
        const next = openFolderIn(source, inner)
        source[Symbol.dispose]()
        source = next
      }
      anew(folder, name, () => linkSync(source.at(names.at(-1)!), folder.at(name)))
    } catch (error) {
      // Left out: it led elsewhere, or to what was not asked for.
      if (!['ENOENT', 'ENOTDIR', 'EPERM', 'ELOOP'].includes(errnoOf(error) ?? '')) throw error
    } finally {
      source[Symbol.dispose]()
    }
  }

  return {
    entry: lay,
    data(bytes) {
      progress.bytes += bytes.length
      if (progress.bytes > ratioFreeBytes && progress.bytes > packed * archiveRatio)
        throw new FileError('archive_is_too_large', { reason: 'ratio', limit: archiveRatio })
      if (!file) return
      for (let at = 0; at < bytes.length;) at += writeSync(file.fd, bytes, at)
      wrote(bytes.length)
    },
    end() {
      if (!file) return
      const { fd, mtime } = file
      file = undefined
      try {
        const seconds = mtime >= 0 && mtime < 2 ** 33 ? mtime : 0
        futimesSync(fd, seconds, seconds)
      } finally {
        closeSync(fd)
      }
    },
    count: () => count,
    [Symbol.dispose]() {
      if (file) closeSync(file.fd)
      for (const { folder } of above) folder[Symbol.dispose]()
    },
  }
}

/** @throws FileError where it leads out of the folder, or is no path */
function namesOf(path: Buffer): string[] {
  const text = path.toString('latin1')
  if (text.startsWith('/') || text.includes('\0')) throw new FileError('invalid_file', { reason: 'path' })
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new FileError('invalid_file', { reason: 'path' })
  return parts.map((part) => nameOfBytes(Buffer.from(part, 'latin1')))
}

function staysWithin(names: string[], target: Buffer): boolean {
  const text = target.toString('latin1')
  if (text === '' || text.startsWith('/') || text.includes('\0')) return false
  let depth = names.length - 1
  for (const part of text.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return false
  }
  return true
}

/** What was packed alone, as `latest.log.gz`: a stream that is its content. */
function createSingleReader(handler: TarHandler, name: string): { push(chunk: Buffer): void; finish(): void } {
  const path = Buffer.from(name)
  handler.entry({
    type: 'file',
    path,
    target: Buffer.alloc(0),
    size: 0,
    mode: 0o644,
    mtime: Date.now() / 1000,
    isSparse: false,
  })
  return { push: (chunk) => handler.data(chunk), finish: () => handler.end() }
}
