import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { isLanguage } from '#app/i18n/languages.ts'
import { serverI18n } from '#app/i18n/server-texts.server.ts'
import { I18nProvider } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { NonceContext } from '#app/ui/nonce.ts'
import { PageEventIdContext } from '#app/ui/page-event-id.ts'

export { textVersions } from '#app/i18n/text-addresses.ts'
export { createLoadContext } from '#app/load-context.ts'
export { findSharedPage } from '#app/shared-pages.ts'
export const streamTimeout = 5_000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, eventId, language: guess, isShared = false } = loadContext.get(webContext)
  const root = routerContext.staticHandlerContext.loaderData['root'] as { language?: string } | undefined
  const language = isLanguage(root?.language) ? root.language : guess
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.append('vary', 'Cookie, Accept-Language')
  return new Promise((resolve, reject) => {
    let answered = false
    const timer = setTimeout(() => abort(), streamTimeout + 1000)
    const answer = () => {
      answered = true
      const body = new PassThrough({
        final(done) {
          clearTimeout(timer)
          done()
        },
      })
      pipe(body)
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }))
    }
    const isWhole = isShared || isbot(request.headers.get('user-agent') ?? '')
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <PageEventIdContext value={eventId}>
          <I18nProvider i18n={serverI18n[language]}>
            <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
          </I18nProvider>
        </PageEventIdContext>
      </NonceContext>,
      {
        nonce,
        ...(isWhole ? { onAllReady: answer } : { onShellReady: answer }),
        onShellError(error) {
          clearTimeout(timer)
          reject(error)
        },
        onError(error) {
          if (answered && !request.signal.aborted) report(error, request, loadContext)
        },
      },
    )
  })
}

function report(error: unknown, request: Request, loadContext: RouterContextProvider): void {
  const { log } = loadContext.get(webContext)
  if (log !== undefined) log(error, request)
  else console.error(error)
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A visitor who left, and an address that nobody knows, are no faults of ours.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  report(error, request, context as RouterContextProvider)
}
