import { getOutboxMail, listOutbox } from '@wakestone/contract/site/outbox-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { listMails, readMail } from './service.ts'

/** Mails that could not be sent for want of a mail server, for administrators to read. */
export function registerOutboxRoutes(api: Api): void {
  const { DATA_DIR } = api.context.settings
  implement(api, listOutbox, () => listMails(DATA_DIR))
  implement(api, getOutboxMail, ({ params }) => readMail(DATA_DIR, params.name))
}
