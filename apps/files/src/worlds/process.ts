/** The process that looks into worlds: it does one order and tells what came of it, a line of JSON each. */
import { writeSync } from 'node:fs'
import { asFileError } from '../errors.ts'
import { openVolume } from '../volume.ts'
import { editLevel } from './edit-level.ts'
import { findInArchive, listWorlds } from './list-worlds.ts'
import type { WorldOrder } from './order.ts'
import { pruneDimension } from './prune-dimension.ts'

/** Written at once: a pipe that is full waits for its reader. */
function tell(value: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

export async function workOnWorlds(order: WorldOrder): Promise<void> {
  const volume = openVolume(order.root)
  try {
    switch (order.kind) {
      case 'list':
        return tell(await listWorlds(volume, order.edition))
      case 'edit':
        return tell(editLevel(volume, order))
      case 'find':
        return tell(await findInArchive(volume, order))
      case 'prune':
        for await (const region of pruneDimension(volume, order)) tell(region)
    }
  } catch (error) {
    const known = asFileError(error)
    if (known === undefined) throw error
    tell({ refused: known.code, fields: known.fields })
  }
}
