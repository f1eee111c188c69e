/** Looks at one file that an author has sent: `inspector.mjs <JSON>`; tells by one line of JSON (`Inspection`). */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Inspection, InspectionWork } from '@wakestone/protocol/inspection'
import { inspectTar } from './tar.ts'
import { inspectZip } from './inspect-zip.ts'

async function perform(work: InspectionWork): Promise<Inspection> {
  if (work.kind === 'media') return (await import('./media.ts')).encodeMedia(work)
  if (work.type === 'tgz') return inspectTar(work.file, work)
  const file = openSync(work.file, 'r')
  try {
    return inspectZip(file, work)
  } finally {
    closeSync(file)
  }
}

writeSync(1, `${JSON.stringify(await perform(JSON.parse(process.argv[2] ?? '{}') as InspectionWork))}\n`)
