import { fstatSync } from 'node:fs'
import type { ArchiveInspection } from '@wakestone/protocol/inspection'
import { createContentLook, isMarker, readMarker, type Stated } from './content.ts'
import { createNames, isBadName } from './names.ts'
import { createNotes } from './notes.ts'
import { BadZip, listZip, readEntry } from './zip.ts'

/** One entry is read at a time; larger ones are not looked into. */
const entryBytes = 64 * 1024 ** 2

export function inspectZip(file: number, limits: { entries: number; expansion: number }): ArchiveInspection {
  const notes = createNotes()
  const content = createContentLook(notes)
  const found: string[] = []
  let stated: Stated = { name: null, version: null }
  let count = 0
  let unpacked = 0
  try {
    const { count: listed, entries, gaps } = listZip(file, limits)
    count = listed
    if (count > limits.entries) notes.note('archive_too_many_entries', String(count))
    else {
      const packed = fstatSync(file).size
      unpacked = entries.reduce((sum, { size }) => sum + size, 0)
      if (unpacked > packed * limits.expansion) notes.note('archive_expands', `${unpacked} / ${packed}`)
      if (gaps > 64 * 1024) notes.note('archive_hides_bytes', String(gaps))
      const isTaken = createNames()
      for (const entry of entries) {
        if (isBadName(entry.name)) notes.note('entry_path', entry.name)
        else if (isTaken(entry.name)) notes.note('entry_twice', entry.name)
        if (entry.isLink) notes.note('entry_link', entry.name)
        if (entry.isEncrypted) notes.note('archive_encrypted', entry.name)
      }
      // What is not to be taken anyway is not unpacked.
      if (!['archive_expands', 'archive_encrypted'].some((rule) => notes.has(rule as 'archive_expands')))
        for (const entry of entries) {
          if (entry.isFolder) continue
          if (entry.size > entryBytes) {
            if (entry.size > entry.packed * limits.expansion + 1024) notes.note('archive_expands', entry.name)
            continue
          }
          const bytes = readEntry(file, entry)
          if (isMarker(entry.name)) {
            found.push(entry.name)
            const said = readMarker(entry.name, bytes)
            stated = { name: stated.name ?? said.name, version: stated.version ?? said.version }
          }
          if (/\.(jar|zip)$/i.test(entry.name)) notes.note('nested_archive', entry.name)
          content.look(entry.name, bytes)
        }
    }
  } catch (error) {
    if (!(error instanceof BadZip)) throw error
    notes.note(/two|overlap/.test(error.message) ? 'entry_differs' : 'archive_damaged', error.message)
  }
  content.finish()
  return { kind: 'archive', entries: count, unpacked, markers: found.slice(0, 20), stated, findings: notes.list() }
}
