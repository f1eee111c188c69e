/** Copies of files and folders, made aside and then placed. */
import {
  chmodSync,
  close,
  closeSync,
  constants,
  copyFile,
  fchmodSync,
  fstatSync,
  futimesSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { promisify } from 'node:util'
import type { OverwriteMode } from '@wakestone/protocol/file-values'
import { FileError } from './errors.ts'
import { joinPath, nameOf } from './folders.ts'
import type { Context, Planned } from './jobs.ts'
import { readNames } from './list.ts'
import { createFile } from './own.ts'
import { lookAt, placeAll, tell } from './placing.ts'
import { runTool } from './tool.ts'
import { type Folder, openFolderIn, openPlainFile, type Volume } from './volume.ts'
import { walk } from './walk.ts'
import { folderDepth, ownFolders } from '@wakestone/protocol/file-values'

const copyBytes = promisify(copyFile)
const closeFile = promisify(close)
const SMALL = 256 * 1024
/** Larger ones are copied by a tool that can be ended. */
const LARGE = 64 * 1024 * 1024
const PROGRESS_MS = 250
const buffer = Buffer.allocUnsafeSlow(SMALL)

export function planCopy(
  volume: Volume,
  { from, to, overwrite }: { from: string[]; to: string; overwrite: OverwriteMode },
): Planned {
  for (const path of from) {
    using place = volume.find(path, 'read')
    if (place.name === '.' || !lookAt(place.folder, place.name)) throw new FileError('file_does_not_exist', { path })
  }
  volume.openFolder(to, 'write')[Symbol.dispose]()
  return {
    paths: from,
    to,
    overwrite,
    async work(context) {
      const { total, bytes } = await measure(context, from)
      context.progress.total = total
      context.progress.bytesTotal = bytes
      await context.reserve(bytes)
      using stage = context.openStage()
      for (const [index, path] of from.entries()) {
        using place = volume.find(path, 'read')
        await copyTree(
          context,
          { folder: place.folder, name: place.name, path },
          { folder: stage, name: String(index) },
        )
      }
      const steps = from.map((path, index) => ({
        from: `${context.stagePath}/${index}`,
        to: joinPath(to, nameOf(path)),
      }))
      return async () => void (await placeAll(volume, steps, overwrite))
    },
  }
}

export function planMeasure(paths: string[]): Planned {
  return {
    paths,
    async work(context) {
      await measure(context, paths, (sum) => {
        context.progress.done = sum.total
        context.progress.bytes = sum.bytes
      })
      context.progress.total = context.progress.done
      context.progress.bytesTotal = context.progress.bytes
    },
  }
}

/** Things and bytes at and below some paths. */
export async function measure(
  { volume, turn }: Pick<Context, 'volume' | 'turn'>,
  paths: string[],
  onProgress?: (sum: { total: number; bytes: number }) => void,
) {
  const sum = { total: 0, bytes: 0 }
  for (const path of paths) {
    await walk(volume, path, {
      turn,
      visit({ stats }) {
        sum.total++
        // What is not there takes no room.
        if (stats.isFile()) sum.bytes += Math.min(stats.size, Math.max(stats.blocks * 512, 0) || stats.size)
        onProgress?.(sum)
      },
    })
  }
  return sum
}

type From = { folder: Folder; name: string; path: string }
type To = { folder: Folder; name: string }

export async function copyTree(context: Context, from: From, to: To, depth = 0): Promise<void> {
  await context.turn()
  const stats = lookAt(from.folder, from.name)
  if (!stats) return // it went meanwhile
  if (depth > folderDepth) throw new FileError('invalid_file', { reason: 'depth', path: from.path })
  context.progress.item = from.path
  if (stats.isDirectory()) {
    mkdirSync(to.folder.at(to.name), { mode: 0o700 })
    using source = openFolderIn(from.folder, from.name)
    using target = openFolderIn(to.folder, to.name)
    for await (const names of readNames(source)) {
      for (const raw of names) {
        const name = tell(raw)
        const path = `${from.path}/${name}`
        if (from.path === '' && ownFolders.includes(name)) continue
        await copyTree(context, { folder: source, name, path }, { folder: target, name }, depth + 1)
      }
    }
    finishFolder(target, stats)
  } else if (stats.isFile()) await copyPlainFile(context, from, to)
  else if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from.folder.at(from.name), { encoding: 'buffer' }), to.folder.at(to.name))
    lutimesSync(to.folder.at(to.name), stats.atime, stats.mtime)
  } // Pipes and sockets belong to what made them.
  context.progress.done++
}

function finishFolder(folder: Folder, { mode, atime, mtime }: Stats): void {
  const at = folder.at('.')
  // By its own descriptor, so that no link is in between.
  chmodSync(at, mode & 0o777)
  lutimesSync(at, atime, mtime)
}

/** Dates would cut what is below a millisecond. */
const secondsOf = (nanoseconds: bigint) => Number(nanoseconds) / 1e9

async function copyPlainFile(context: Context, from: From, to: To): Promise<void> {
  const source = openPlainFile(from.folder.at(from.name))
  const target = createFile(to.folder, to.name, 0o600)
  try {
    const size = Number(source.stats.size)
    const isSparse = Number(source.stats.blocks) * 512 < size
    if (size <= SMALL) copySmall(source.fd, target)
    else if (size > LARGE || isSparse) await copyLarge(context, source.fd, target)
    else await copyBytes(`/proc/self/fd/${source.fd}`, `/proc/self/fd/${target}`, constants.COPYFILE_FICLONE)
    const copied = fstatSync(target)
    fchmodSync(target, Number(source.stats.mode) & 0o777)
    futimesSync(target, secondsOf(source.stats.atimeNs), secondsOf(source.stats.mtimeNs))
    context.progress.bytes += Math.min(copied.size, copied.blocks * 512 || copied.size)
    context.wrote(copied.blocks * 512)
  } finally {
    closeSync(source.fd)
    await closeFile(target)
  }
}

function copySmall(from: number, to: number): void {
  for (let length = 1; length > 0;) {
    length = readSync(from, buffer, 0, buffer.length, null)
    for (let at = 0; at < length;) at += writeSync(to, buffer, at, length - at)
  }
}

/** Shares blocks where the file system can, and leaves holes as they are. */
async function copyLarge({ signal, progress, turn }: Context, from: number, to: number): Promise<void> {
  const before = progress.bytes
  const timer = setInterval(() => {
    progress.bytes = before + fstatSync(to).blocks * 512
    void turn().catch(() => {})
  }, PROGRESS_MS)
  try {
    const parameters = ['--reflink=auto', '--sparse=auto', '--', '/proc/self/fd/3', '/proc/self/fd/4']
    await runTool('cp', parameters, { fds: [from, to], signal, nice: 5 })
  } finally {
    clearInterval(timer)
    progress.bytes = before
  }
}
