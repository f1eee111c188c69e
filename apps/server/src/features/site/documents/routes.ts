import { getDocument, getWordPage } from '@wakestone/contract/site/documents-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { showDocument, showWordPage } from './service.ts'

export function registerDocumentRoutes(api: Api): void {
  implement(api, getDocument, ({ params, query }) => showDocument(api.context, { ...params, ...query }))
  implement(api, getWordPage, ({ params, query }) => showWordPage(api.context, { ...params, ...query }))
}
