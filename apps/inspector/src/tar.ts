import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import type { ArchiveInspection } from '@wakestone/protocol/inspection'
import { createContentLook, isMarker, readMarker, type Stated } from './content.ts'
import { createNames, isBadName } from './names.ts'
import { createNotes } from './notes.ts'

/** Of one entry so much is kept to be looked at. */
const keptBytes = 8 * 1024 ** 2

export async function inspectTar(
  path: string,
  limits: { entries: number; expansion: number },
): Promise<ArchiveInspection> {
  const notes = createNotes()
  const content = createContentLook(notes)
  const isTaken = createNames()
  const markers: string[] = []
  let stated: Stated = { name: null, version: null }
  let entries = 0
  let unpacked = 0
  const most = statSync(path).size * limits.expansion
  let isOver = false
  const stop = (rule: 'archive_too_many_entries' | 'archive_expands', detail: string) => {
    notes.note(rule, detail)
    isOver = true
  }

  function read(entry: ReadEntry) {
    const name = entry.type === 'Directory' && !entry.path.endsWith('/') ? `${entry.path}/` : entry.path
    if (++entries > limits.entries) return stop('archive_too_many_entries', String(entries))
    // Many programs begin with the folder itself.
    const isRoot = name === './' || name === '.'
    const plain = name.replace(/^\.\//, '')
    if (!isRoot && isBadName(plain)) notes.note('entry_path', name)
    else if (!isRoot && isTaken(plain)) notes.note('entry_twice', name)
    if (!['File', 'OldFile', 'Directory'].includes(entry.type)) notes.note('entry_link', `${name} (${entry.type})`)
    const parts: Buffer[] = []
    let kept = 0
    entry.on('data', (part: Buffer) => {
      unpacked += part.length
      if (unpacked > most) stop('archive_expands', `${unpacked}`)
      if (kept < keptBytes) parts.push(part)
      kept += part.length
    })
    entry.on('end', () => {
      if (entry.type === 'Directory' || kept > keptBytes) return
      const bytes = Buffer.concat(parts)
      if (isMarker(plain)) {
        markers.push(plain)
        const said = readMarker(plain, bytes)
        stated = { name: stated.name ?? said.name, version: stated.version ?? said.version }
      }
      if (/\.(jar|zip)$/i.test(plain)) notes.note('nested_archive', plain)
      content.look(plain, bytes)
    })
  }

  const parser = new Parser({ strict: true, onReadEntry: read })
  let fault: unknown
  parser.on('error', (error: unknown) => (fault ??= error))
  // What it tells is heard at once, so nothing has to wait for it.
  try {
    let sum = 0
    for await (const part of createReadStream(path).pipe(createGunzip()) as AsyncIterable<Buffer>) {
      sum += part.length
      // Headers and padding count too: an archive of nothing can be long.
      if (sum > most + 1024 ** 2) stop('archive_expands', String(sum))
      if (isOver || fault !== undefined) break
      parser.write(part)
    }
    if (!isOver && fault === undefined) parser.end()
  } catch (error) {
    fault ??= error
  }
  if (!isOver && fault !== undefined) notes.note('archive_damaged', fault instanceof Error ? fault.message : 'damaged')
  content.finish()
  return { kind: 'archive', entries, unpacked, markers: markers.slice(0, 20), stated, findings: notes.list() }
}
