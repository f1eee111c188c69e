/** Archives that are made: while they go to whoever asked, or into the volume by a job. */
import { closeSync, fstatSync, writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type ArchiveFormat, bytesOfName, ownFolders, type OverwriteMode } from '@wakestone/protocol/file-values'
import { FileError } from './errors.ts'
import { nameOf } from './folders.ts'
import type { Planned } from './jobs.ts'
import { drained } from './lines.ts'
import { readNames } from './list.ts'
import { createFile, syncFile } from './own.ts'
import { lookAt, placeAll, tell } from './placing.ts'
import { startTool, type Tool } from './tool.ts'
import type { Folder, Volume } from './volume.ts'

/** It has not gone on to the end: what has come of it is no archive. Files that change or vanish meanwhile are none of this. */
const FATAL = /Write error|Cannot write|memory exhausted|[Oo]ut of memory|Can't allocate/

/** One folder, open, and the names in it. */
type Source = { folder: Folder; names: string[] }

/** Things of one folder; '' is all that is in the volume. */
async function openSource(volume: Volume, paths: string[]): Promise<Source> {
  if (paths.length === 1 && paths[0] === '') {
    const folder = volume.openFolder('', 'read')
    const names: string[] = []
    for await (const some of readNames(folder))
      names.push(...some.map(tell).filter((name) => !ownFolders.includes(name)))
    return { folder, names }
  }
  const parents = new Set(paths.map((path) => path.slice(0, -nameOf(path).length)))
  if (parents.size !== 1 || paths.includes('')) throw new FileError('invalid_request', { path: 'not of one folder' })
  const folder = volume.openFolder([...parents][0]!.replace(/\/$/, ''), 'read')
  for (const path of paths) {
    // Looked at as paths too: no folder of ours goes along.
    try {
      using place = volume.find(path, 'read')
      if (!lookAt(place.folder, place.name)) throw new FileError('file_does_not_exist', { path })
    } catch (error) {
      folder[Symbol.dispose]()
      throw error
    }
  }
  return { folder, names: paths.map(nameOf) }
}

/** `tar` takes less time where there are many small files. */
const TAR = ['tar', '--format=gnu', '--ignore-failed-read', '--verbatim-files-from'] as const
const ZIP = ['bsdtar', '--format=zip', '--no-acls', '--no-xattrs', '--no-fflags'] as const

type Packing = { out: AsyncIterable<Buffer>; ended: Promise<void>; end(): void }

/** They go down by themselves: they follow no link, and open no pipe. `ended` rejects where the archive is not whole. */
async function startPacking({ folder, names }: Source, format: ArchiveFormat, signal: AbortSignal): Promise<Packing> {
  const options = { nice: 5, signal }
  // A zip says of all its names that they are UTF-8, or of none.
  const env = format === 'zip' && (await hasOddNames({ folder, names }, signal)) ? { LC_ALL: 'C' } : undefined
  const zstd = format === 'zip' ? undefined : startTool('zstd', ['-q', '-T2', '-c'], { ...options, stdin: 'pipe' })
  const [program, ...kind] = zstd ? TAR : ZIP
  const parameters = [...kind, '-cf', '-', '-C', '/proc/self/fd/3', '--null', '-T', '-']
  const stdout = zstd ? zstd.child.stdin! : 'pipe'
  const tar = startTool(program, parameters, {
    ...options,
    fds: [folder.fd],
    stdin: 'pipe',
    stdout,
    ...(env && { env }),
  })
  // Theirs is open still.
  zstd?.child.stdin!.destroy()
  tar.child.stdin!.end(listOf(names))
  const end = () => {
    tar.end()
    zstd?.end()
  }
  const ended = (async () => {
    await checkPacked(tar)
    if (zstd) await checkPacked(zstd)
  })()
  ended.catch(() => {}) // seen by who waits for it
  return { out: zstd ? zstd.out : withoutFill(tar.out), ended, end }
}

/** Each ended by a zero. One that begins as an option would be taken for one. */
const listOf = (names: string[]) =>
  Buffer.concat(
    names.flatMap((name) => [
      Buffer.from(/^[-@]/.test(name) ? './' : ''),
      Buffer.from(bytesOfName(name)!),
      Buffer.from([0]),
    ]),
  )

/** Whether there are names that are no UTF-8. */
async function hasOddNames({ folder, names }: Source, signal: AbortSignal): Promise<boolean> {
  const script = "find -files0-from - -print0 2>/dev/null | grep -zqavx '.*'"
  const tool = startTool('sh', ['-c', script], { cwd: `/proc/self/fd/${folder.fd}`, stdin: 'pipe', signal })
  tool.out.resume()
  tool.child.stdin!.end(listOf(names))
  return (await tool.ended).code === 0
}

async function checkPacked({ ended }: Tool): Promise<void> {
  const { code, complaint } = await ended
  if (code === 0 || ((code === 1 || code === 2) && !FATAL.test(complaint))) return
  throw new Error(`cannot pack: ${complaint.trim() || `ended with ${code}`}`)
}

/** More than `bsdtar` fills up a last block with. */
const TAIL = 16 * 1024
const END_OF_ZIP = Buffer.from('PK\x05\x06')
const END_BYTES = 22

/** A zip without the zeros that `bsdtar` puts behind it where it writes to no file. */
async function* withoutFill(out: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let tail = Buffer.alloc(0)
  for await (const chunk of out) {
    const all = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
    const end = Math.max(0, all.length - TAIL)
    if (end > 0) yield all.subarray(0, end)
    tail = Buffer.from(all.subarray(end))
  }
  const end = tail.lastIndexOf(END_OF_ZIP)
  yield end < 0 ? tail : tail.subarray(0, end + END_BYTES)
}

/** An archive that breaks off ends the connection, so that nobody takes it for whole. */
export async function sendArchive(
  volume: Volume,
  { paths, format }: { paths: string[]; format: ArchiveFormat },
  response: ServerResponse,
): Promise<void> {
  const source = await openSource(volume, paths)
  const { folder } = source
  using _open = folder
  const abort = new AbortController()
  response.on('close', () => abort.abort())
  const packing = await startPacking(source, format, abort.signal)
  response.writeHead(200, { 'content-type': format === 'zip' ? 'application/zip' : 'application/zstd' })
  try {
    for await (const chunk of packing.out) if (!response.write(chunk) && !response.destroyed) await drained(response)
    await packing.ended
    response.end()
  } catch (error) {
    packing.end()
    response.destroy()
    if (!abort.signal.aborted) throw error
  }
}

export async function planPack(
  volume: Volume,
  { paths, to, format, overwrite }: { paths: string[]; to: string; format: ArchiveFormat; overwrite: OverwriteMode },
): Promise<Planned> {
  const { folder } = await openSource(volume, paths)
  folder[Symbol.dispose]()
  using target = volume.find(to, 'write')
  if (target.name === '.') throw new FileError('unknown_file_name')
  if (overwrite === 'fail' && lookAt(target.folder, target.name))
    throw new FileError('resource_already_exists', { path: to })
  return {
    paths,
    to,
    overwrite,
    async work({ openStage, stagePath, signal, progress, turn, reserve, wrote }) {
      const source = await openSource(volume, paths)
      using _open = source.folder
      using stage = openStage()
      const file = createFile(stage, 'archive')
      try {
        const packing = await startPacking(source, format, signal)
        let promised = 0
        for await (const chunk of packing.out) {
          if (progress.bytes + chunk.length > promised) {
            promised += STEP
            await reserve(STEP)
          }
          for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at)
          progress.bytes += chunk.length
          wrote(chunk.length)
          await turn()
        }
        await packing.ended
        await syncFile(file)
        progress.bytesTotal = fstatSync(file).size
      } finally {
        closeSync(file)
      }
      return async () => void (await placeAll(volume, [{ from: `${stagePath}/archive`, to }], overwrite))
    },
  }
}

/** Room that is asked for at a time. */
const STEP = 16 * 1024 * 1024
