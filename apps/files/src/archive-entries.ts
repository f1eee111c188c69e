/** Looking into archives. */
import { closeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import {
  archiveEntries,
  archivePreviewBytes,
  type ArchiveLine,
  type FileType,
  nameOfBytes,
} from '@wakestone/protocol/file-values'
import { openArchive } from './archive-file.ts'
import { FileError } from './errors.ts'
import { drained, type Lines } from './lines.ts'
import { startTool } from './tool.ts'
import { checkEnd } from './unpack.ts'
import type { Volume } from './volume.ts'

const LONGEST_LINE = 64 * 1024
const LIST_MS = 5 * 60_000
const ASKS = /passphrase/i
const types: Record<string, FileType> = { file: 'file', dir: 'folder', link: 'link' }

export async function listEntries(volume: Volume, path: string, lines: Lines): Promise<{ truncated: boolean }> {
  using archive = openArchive(volume, path)
  if (archive.single !== undefined) {
    lines.add([archive.single, 'file', 0, 0] satisfies ArchiveLine)
    return { truncated: false }
  }
  const options = "-cf - --format=mtree '--options=mtree:!all,type,size,time,link'"
  const signal = AbortSignal.timeout(LIST_MS)
  const parts = archive.parts.map((part) => volume.openFile(part).fd)
  const fds = parts.length === 0 ? [archive.fd()] : parts
  const all = fds.map((_, index) => `/proc/self/fd/${index + 3}`).join(' ')
  // Parts one behind the other make the whole.
  const script = parts.length === 0 ? `exec bsdtar ${options} @${all}` : `cat ${all} | bsdtar ${options} @-`
  const tool = startTool('sh', ['-c', script], { fds, signal, onComplaint: (text) => ASKS.test(text) && tool.end() })
  for (const fd of parts) closeSync(fd)
  let rest = ''
  let count = 0
  for await (const chunk of tool.out.setEncoding('latin1') as AsyncIterable<string>) {
    const texts = (rest + chunk).split('\n')
    rest = texts.pop()!.slice(0, LONGEST_LINE)
    for (const text of texts) {
      const line = readLine(text)
      if (!line) continue
      if (++count > archiveEntries) {
        tool.end()
        return { truncated: true }
      }
      lines.add(line)
    }
    if (!(await lines.breathe())) {
      tool.end()
      return { truncated: true }
    }
  }
  await checkEnd(tool.ended)
  return { truncated: false }
}

/** `./a\040b time=1.0 type=file size=3`: bytes that are no plain letters stand as three octal digits. */
export function readLine(line: string): ArchiveLine | undefined {
  const [name = '', ...words] = line.split(' ')
  if (!name.startsWith('./') && !/^\/?[^#/]/.test(name)) return undefined
  const path = name
    .replace(/^\.?\//, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) =>
      nameOfBytes(
        Buffer.from(
          part.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8) & 0xff)),
          'latin1',
        ),
      ),
    )
    .join('/')
  if (path === '' || path === '..') return undefined
  const found = new Map(words.map((word) => word.split('=', 2) as [string, string]))
  const number = (key: string) => Number(found.get(key) ?? 0) || 0
  return [path, types[found.get('type') ?? ''] ?? 'other', number('size'), Math.trunc(number('time') * 1000)]
}

/** One file out of an archive, unless it is too large to be looked at. */
export async function sendEntry(
  volume: Volume,
  { path, entry }: { path: string; entry: string },
  response: ServerResponse,
): Promise<void> {
  using archive = openArchive(volume, path)
  const abort = new AbortController()
  response.on('close', () => abort.abort())
  const isSingle = archive.single !== undefined
  if (isSingle && entry !== archive.single) throw new FileError('file_does_not_exist')
  // What it is given is a pattern.
  const literal = entry.replace(/[\\*?[\]]/g, String.raw`\$&`)
  const parameters = isSingle ? archive.parameters : ['-xOqf', '/proc/self/fd/3', '--', literal]
  const tool = startTool(archive.command, parameters, {
    fds: [archive.fd()],
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(LIST_MS)]),
    onComplaint: (text) => ASKS.test(text) && tool.end(),
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of tool.out as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > archivePreviewBytes) {
      tool.end()
      throw new FileError('archive_is_too_large', { reason: 'entry', limit: archivePreviewBytes })
    }
    chunks.push(chunk)
  }
  const { complaint } = await tool.ended
  if (/Not found in archive/.test(complaint)) throw new FileError('file_does_not_exist')
  await checkEnd(tool.ended)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  for (const chunk of chunks) if (!response.write(chunk) && !response.destroyed) await drained(response)
  response.end()
}
