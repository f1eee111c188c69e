/** Draws the map of one server: `map-renderer.mjs <files> <tiles> <JSON>`; tells by lines of JSON (`MapLine`). */
import { writeSync } from 'node:fs'
import { isMainThread, parentPort } from 'node:worker_threads'
import type { MapLine, MapRenderConfig } from '@wakestone/protocol/map-render'
import { createRegionDrawer } from './draw-region.ts'
import { render } from './render.ts'
import type { Work } from './threads.ts'
import { writeZoomOut } from './tiles.ts'

/** Of lines that only say how far it has come. */
const PROGRESS_MS = 200

function createTeller() {
  let last = 0
  return (line: MapLine) => {
    const now = performance.now()
    if (line.kind === 'progress' && line.done < line.total && now - last < PROGRESS_MS) return
    last = now
    writeSync(1, `${JSON.stringify(line)}\n`)
  }
}

if (isMainThread) {
  const [volume = '', store = '', rest = '{}'] = process.argv.slice(2)
  const { layers, threads } = JSON.parse(rest) as Pick<MapRenderConfig, 'layers' | 'threads'>
  await render({ volume, store, layers, threads }, import.meta.filename, createTeller())
} else {
  const draw = createRegionDrawer()
  const perform = async (work: Work) => {
    if (work.kind === 'region') return draw(work)
    await writeZoomOut(work)
    return null
  }
  // What fails ends the thread, and with it the run.
  parentPort!.on('message', (work: Work) => void perform(work).then((done) => parentPort!.postMessage(done, [])))
}
