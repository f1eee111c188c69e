/** The copy of the routes on disk, from which a gateway serves while the API is away. */
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import { briefRoute, type Route, routeSchema } from '@wakestone/protocol/gateway'
import { readRoute } from '@wakestone/protocol/read-route'
import { z } from 'zod'
import type { RouteTable } from './route-table.ts'

/** Changes come in bursts; this long after the first of one, the file is written. */
const WRITE_DELAY_MS = 50
/** With many routes a write takes long: then this many times as long passes before the next. */
const PAUSE_PER_WRITE = 20
const MOST_DELAY_MS = 30_000

/** One route in a line; earlier versions wrote all of them as one object. */
const oldFileSchema = z.object({ version: z.literal(1), routes: z.array(routeSchema) })

/** Fills the table from the file, if there is a readable one. */
export async function loadRoutes(file: string, table: RouteTable, logger: Logger): Promise<void> {
  try {
    const routes: Route[] = []
    const handle = await open(file)
    for await (const line of handle.readLines()) {
      const json: unknown = JSON.parse(line)
      const isOld = (json as { routes?: unknown } | null)?.routes !== undefined
      if (isOld) routes.push(...oldFileSchema.parse(json).routes)
      else routes.push(readRoute(json) ?? routeSchema.parse(json))
    }
    table.replaceAll(routes)
    logger.info({ routes: routes.length }, 'routes read from disk')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    logger.error({ err: error, file }, 'routes on disk are not readable; waiting for the API')
  }
}

function* inPieces(routes: Route[]) {
  for (let start = 0; start < routes.length; start += ROUTES_IN_PIECE)
    yield routes
      .slice(start, start + ROUTES_IN_PIECE)
      .map((route) => `${JSON.stringify(briefRoute(route))}\n`)
      .join('')
}
const ROUTES_IN_PIECE = 100

/** Keeps the file equal to the table. It is replaced whole, so a kill at any moment leaves the old or the new one. */
export function keepRoutes(file: string, table: RouteTable, logger: Logger): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let tookMs = 0

  async function write() {
    const began = performance.now()
    try {
      await mkdir(dirname(file), { recursive: true })
      const draft = `${file}.${process.pid}.new` // another gateway may keep the same file
      const handle = await open(draft, 'w', 0o600)
      try {
        for (const lines of inPieces(table.all())) await handle.write(lines)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(draft, file)
    } catch (error) {
      logger.error({ err: error, file }, 'could not write the routes to disk')
    }
    tookMs = performance.now() - began
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
  }

  table.onChange(() => {
    timer ??= setTimeout(flush, Math.max(WRITE_DELAY_MS, Math.min(MOST_DELAY_MS, tookMs * PAUSE_PER_WRITE)))
  })
  return {
    async close() {
      if (timer) flush()
      await writing
    },
  }
}
