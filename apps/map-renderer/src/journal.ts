/**
 * What of a dimension is drawn: a line for each step, appended when it is done, so that a run that was killed is followed
 * by one that goes on. Whatever cannot be read in it is drawn again.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type RegionKey = `${number} ${number}`
export const regionKey = ({ x, z }: { x: number; z: number }): RegionKey => `${x} ${z}`
export const parseRegionKey = (key: RegionKey) => {
  const [x, z] = key.split(' ').map(Number)
  return { x: x!, z: z! }
}

/** Drawn regions by the fingerprint of what they were drawn from. */
export type Journal = {
  drawn: Map<RegionKey, string>
  /** Regions drawn or gone since all zooms were last made of them. */
  pending: Set<RegionKey>
  zoomOuts: number
}
type Line = { region: RegionKey; of: string | null } | { zoomOuts: number }

const nameOf = (folder: string) => join(folder, 'drawn.ndjson')

export function openJournal(folder: string) {
  mkdirSync(folder, { recursive: true })
  const journal = readJournal(folder)
  const append = (line: Line) => appendFileSync(nameOf(folder), `${JSON.stringify(line)}\n`)
  return {
    journal,
    /** @param of fingerprint of what it was drawn from; null: it is gone. */
    noteRegion(region: RegionKey, of: string | null) {
      append({ region, of })
      take(journal, { region, of })
    },
    /** All zooms are made; the journal begins anew with what is drawn. */
    noteZooms(zoomOuts: number) {
      take(journal, { zoomOuts })
      const lines: Line[] = [...journal.drawn].map(([region, of]) => ({ region, of }))
      const text = [...lines, { zoomOuts }].map((line) => `${JSON.stringify(line)}\n`).join('')
      writeFileSync(`${nameOf(folder)}.new`, text)
      renameSync(`${nameOf(folder)}.new`, nameOf(folder))
    },
  }
}

function take(journal: Journal, line: Line) {
  if ('zoomOuts' in line) {
    journal.zoomOuts = line.zoomOuts
    journal.pending.clear()
    return
  }
  journal.pending.add(line.region)
  if (line.of === null) journal.drawn.delete(line.region)
  else journal.drawn.set(line.region, line.of)
}

function readJournal(folder: string): Journal {
  const journal: Journal = { drawn: new Map(), pending: new Set(), zoomOuts: -1 }
  for (const text of readText(nameOf(folder)).split('\n')) {
    const line = parseLine(text)
    if (line !== null) take(journal, line)
  }
  return journal
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Null for what is none: the last line of a run that was killed may be cut off. */
function parseLine(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Partial<{ region: string; of: string | null; zoomOuts: number }>
    if (typeof line.zoomOuts === 'number') return { zoomOuts: line.zoomOuts }
    if (typeof line.region !== 'string' || !/^-?\d{1,6} -?\d{1,6}$/.test(line.region)) return null
    return line.of === null || typeof line.of === 'string' ? { region: line.region as RegionKey, of: line.of } : null
  } catch {
    return null
  }
}
