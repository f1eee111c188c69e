import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { getOutboxMail, listOutbox } from '@wakestone/contract/routes/outbox'
import { type Api, implement } from '#src/http/implement.ts'

const newestShown = 200

/** Mails that could not be sent for want of a mail server, for administrators to read. */
export function registerOutboxRoutes(api: Api): void {
  const folder = join(api.context.settings.DATA_DIR, 'outbox')

  implement(api, listOutbox, async () => {
    const names = (await readdir(folder).catch(() => [])).filter(
      (name) => name.endsWith('.eml') && !name.startsWith('.'),
    )
    const newest = names.sort().reverse().slice(0, newestShown)
    return Promise.all(
      newest.map(async (name) => {
        const { size, mtime } = await stat(join(folder, name))
        return { name, written_at: mtime.toISOString(), size }
      }),
    )
  })
  implement(api, getOutboxMail, async ({ params }) => {
    const name = basename(params.name)
    const raw = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    if (raw === undefined) throw new DomainError('resource_not_found')
    return { name, raw }
  })
}
