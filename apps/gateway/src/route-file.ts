/** The copy of the routes on disk, from which a gateway serves while the API is away. */
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import { routeSchema } from '@wakestone/protocol/gateway'
import { z } from 'zod'
import type { RouteTable } from './route-table.ts'

/** Changes come in bursts; this long after the first of one, the file is written. */
const WRITE_DELAY_MS = 50

const fileSchema = z.object({ version: z.literal(1), routes: z.array(routeSchema) })

/** Fills the table from the file, if there is a readable one. */
export async function loadRoutes(file: string, table: RouteTable, logger: Logger): Promise<void> {
  try {
    const { routes } = fileSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    table.replaceAll(routes)
    logger.info({ routes: routes.length }, 'routes read from disk')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    logger.error({ err: error, file }, 'routes on disk are not readable; waiting for the API')
  }
}

/** Keeps the file equal to the table. It is replaced whole, so a kill at any moment leaves the old or the new one. */
export function keepRoutes(file: string, table: RouteTable, logger: Logger): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write() {
    try {
      await mkdir(dirname(file), { recursive: true })
      const draft = `${file}.new`
      const handle = await open(draft, 'w', 0o600)
      try {
        await handle.writeFile(JSON.stringify({ version: 1, routes: table.all() }))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(draft, file)
    } catch (error) {
      logger.error({ err: error, file }, 'could not write the routes to disk')
    }
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
  }

  table.onChange(() => {
    timer ??= setTimeout(flush, WRITE_DELAY_MS)
  })
  return {
    async close() {
      if (timer) flush()
      await writing
    },
  }
}
