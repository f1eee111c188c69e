import { createHash } from 'node:crypto'
import type { Texts } from '#app/i18n/create-i18n.ts'
import { isLanguage, type Language } from '#app/i18n/languages.ts'
import { serverTexts } from '#app/i18n/server-texts.server.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/social-image'

type Picture = { bytes: Buffer<ArrayBuffer>; tag: string }
type Page = keyof Texts['pages']

// As many as there are pages and languages: no word of a visitor is ever drawn.
const drawn = new Map<string, Promise<Picture>>()
let lastDrawing: Promise<unknown> = Promise.resolve()

/** `/og/{language}/{page}.png`: what is shown where a page is shared. Drawn at the first request, one at a time. */
export async function loader({ request, params, context }: Route.LoaderArgs): Promise<Response> {
  const { languages } = context.get(webContext)
  const page = /^([\w-]+)\.png$/.exec(params.file)?.[1]
  const isKnown = isLanguage(params.language) && languages.includes(params.language) && isPage(page)
  if (!isKnown) return new Response('Not found\n', { status: 404, headers: { 'content-type': 'text/plain' } })
  const { bytes, tag } = await drawOnce(params.language as Language, page as Page, new URL(request.url).host)
  const headers = { etag: tag, 'cache-control': 'public, max-age=86400' }
  if (request.headers.get('if-none-match') === tag) return new Response(null, { status: 304, headers })
  return new Response(bytes, { headers: { ...headers, 'content-type': 'image/png' } })
}

function isPage(page: string | undefined): page is Page {
  return page !== undefined && Object.hasOwn((serverTexts.en as Texts).pages, page)
}

function drawOnce(language: Language, page: Page, host: string): Promise<Picture> {
  const key = `${language}/${page}`
  const found = drawn.get(key)
  if (found !== undefined) return found
  const { title, description } = (serverTexts[language] as Texts).pages[page]
  const drawing = lastDrawing.then(async () => {
    // Heavy, and most processes never draw.
    const { drawSocialCard } = await import('./draw-social-card.server.tsx')
    const bytes = await drawSocialCard({ title, text: description, host })
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"` }
  })
  drawn.set(key, drawing)
  // One that failed is drawn again when it is next asked for.
  lastDrawing = drawing.catch(() => void drawn.delete(key))
  return drawing
}
