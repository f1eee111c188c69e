/**
 * Serves the gallery of components alone, without the rest of the product: `node build-steps/serve-gallery.ts`.
 * Prints where. Needs `react-router build --mode gallery`, which `tests/support/gallery.ts` runs.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createRequestHandler } from 'react-router'
import { createApiClient } from '@wakestone/contract/client'
import { createConsent, serializeConsent } from '../app/features/consent/consent.ts'
import type { WebContext } from '../app/load-context.ts'

const folder = join(import.meta.dirname, '../build-gallery')
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const build = await import(pathToFileURL(join(folder, 'server/index.js')).href)
const handle = createRequestHandler(build, 'production')
// Components want nothing of the API: what a page asks for around them fails, and the page does without.
const api = createApiClient(async () => Response.json({ error: 'internal_error', event_id: '' }, { status: 500 }))
// Nothing lies over the components.
const consent = serializeConsent(createConsent({ analytics: false, advertising: false }), false).split(';')[0] ?? ''

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const file = join(folder, 'client', url.pathname)
  if (url.pathname !== '/' && existsSync(file)) {
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    return void createReadStream(file).pipe(response)
  }
  const context: WebContext = {
    api,
    user: null,
    language: 'en',
    languages: ['en', 'pl', 'de'],
    nonce: randomBytes(16).toString('base64'),
    eventId: '',
    // What an operator sets is shown by the frame around pages, and here there is none.
    site: { socialLinks: [] } as unknown as WebContext['site'],
  }
  const asked = new Request(url, { headers: { cookie: consent } })
  void handle(asked, build.entry.module.createLoadContext(context)).then(
    (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (answer.body === null) response.end()
      else Readable.fromWeb(answer.body as never).pipe(response)
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, 'localhost', () =>
  process.stdout.write(`http://localhost:${(server.address() as AddressInfo).port}\n`),
)
