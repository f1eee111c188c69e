/** Threads that draw: each takes the next piece of work when it has done one. */
import { Worker } from 'node:worker_threads'
import type { RegionDone, RegionWork } from './draw-region.ts'
import type { TilePlace } from './tiles.ts'

export type Work = ({ kind: 'region' } & RegionWork) | ({ kind: 'zoom' } & TilePlace)
export type Done<Piece extends Work> = Piece extends { kind: 'region' } ? RegionDone : null

/** Unpacked chunks are garbage at once: where little of it is let lie, a thread takes a third less memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** @param file that this program was started with: its threads find out that they are none of the first. */
export function startThreads(file: string, count: number) {
  const workers = Array.from({ length: count }, () => new Worker(file, { resourceLimits }))

  function perform<Piece extends Work>(worker: Worker, piece: Piece): Promise<Done<Piece>> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', onMessage).off('error', onError)
        act()
      }
      const onMessage = (done: Done<Piece>) => settle(() => resolve(done))
      const onError = (error: unknown) => settle(() => reject(error))
      worker.once('message', onMessage).once('error', onError).postMessage(piece, [])
    })
  }

  return {
    /** Has all pieces done, in about their order. @throws what a thread threw: the others end what they are at. */
    async doAll<Piece extends Work>(pieces: Iterable<Piece>, onDone: (piece: Piece, done: Done<Piece>) => void) {
      const next = pieces[Symbol.iterator]()
      await Promise.all(
        workers.map(async (worker) => {
          for (let item = next.next(); !item.done; item = next.next())
            onDone(item.value, await perform(worker, item.value))
        }),
      )
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}
