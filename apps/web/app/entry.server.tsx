import { Writable } from 'node:stream'
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
  const { nonce, eventId, language: guess } = loadContext.get(webContext)
  const root = routerContext.staticHandlerContext.loaderData['root'] as { language?: string } | undefined
  const language = isLanguage(root?.language) ? root.language : guess
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.append('vary', 'Cookie, Accept-Language')
  return new Promise((resolve, reject) => {
    const late: unknown[] = []
    const timer = setTimeout(() => abort(), streamTimeout + 1000)
    const parts: Buffer[] = []
    const page = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part)
        done()
      },
      final(done) {
        clearTimeout(timer)
        resolve(new Response(Buffer.concat(parts), { status, headers }))
        done()
      },
    })
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <PageEventIdContext value={eventId}>
          <I18nProvider i18n={serverI18n(language)}>
            <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
          </I18nProvider>
        </PageEventIdContext>
      </NonceContext>,
      {
        nonce,
        // No page waits for anything but its loaders, and one that is whole costs less to pass on than many parts.
        onAllReady() {
          if (!request.signal.aborted) for (const error of late) report(error, request, loadContext)
          pipe(page)
        },
        onShellError(error) {
          clearTimeout(timer)
          reject(error)
        },
        // React writes the place of what failed for the browser to try again. Of a whole page that failed, the caller tells.
        onError: (error) => void late.push(error),
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
