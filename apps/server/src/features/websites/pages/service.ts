/**
 * Websites as strangers see them, each on a host of its own. What is shown goes through the same schemas once more, its
 * Markdown through the sanitiser; nothing of a visitor is read, and nothing is set in their browser.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState, publicStates } from '@wakestone/contract/states'
import type { Language } from '@wakestone/contract/values'
import {
  type Block,
  contentSchema,
  markdownOf,
  namedIn,
  type WebsiteContent,
  websiteImageName,
} from '@wakestone/contract/websites/content'
import { publicUrl, websiteUrl } from '@wakestone/kit/settings'
import type { Picture } from '@wakestone/websites/blocks'
import { type LiveFacts, type ServerFacts, shownNames } from '@wakestone/websites/facts'
import { fontFiles, fontsPath } from '@wakestone/websites/fonts'
import { liveFactsPath, liveScript, liveScriptPath } from '@wakestone/websites/live-script'
import { words } from '@wakestone/websites/words'
import type { Context } from '#src/context.ts'
import { isOpenToAll } from '#src/features/servers/mapview/service.ts'
import { describeServer, findServer } from '#src/features/servers/servers/service.ts'
import { renderAuthorTexts } from '#src/features/site/documents/service.ts'
import {
  findWebsiteByDomain,
  findWebsiteByName,
  findWebsiteVersion,
  isOnline,
  type WebsiteRow,
} from '#src/features/websites/craftums/service.ts'
import { findWebsiteImage, listWebsiteImages } from '#src/features/websites/images/service.ts'

export type Answer = {
  status: number
  type: string
  body: string | Buffer
  /** What the page may load; without it nothing at all. */
  policy?: string
  /** Seconds for which others may keep it. */
  keptFor?: number
}

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>

/** Pages of versions that never change, by all that they depend on; the oldest goes first. */
const mostKept = 500
/** How long what is known of servers may be old, in milliseconds. */
const factsKept = 5_000
const text = 'text/plain; charset=utf-8'
const picturesPath = '/media/'

const baseDirectives = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
const hashOf = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

export type Websites = {
  /** Whether a host is one of websites, whosesoever it is. */
  isOurs(host: string): Promise<boolean>
  answer(host: string, request: { method: string; path: string }): Promise<Answer>
}

export function openWebsites(deps: Deps): Websites {
  const { db, settings } = deps
  const suffix = `.${settings.SITES_DOMAIN}`
  const panelHost = new URL(publicUrl(settings)).hostname
  const hosts = new Map<string, { until: number; isOurs: Promise<boolean> }>()
  const htmlOf = new Map<string, Promise<Map<string, readonly string[]>>>()
  const answers = new Map<string, { until: number; answer: Promise<Answer> }>()
  const facts = new Map<string, { until: number; known: Promise<Map<string, ServerFacts>> }>()
  // React comes with the first page: it takes its slow development build before the pages of the panel have said which.
  const pages = () => import('@wakestone/websites/page')

  async function find(host: string): Promise<WebsiteRow | undefined> {
    if (!host.endsWith(suffix)) return findWebsiteByDomain(db, host)
    const name = host.slice(0, -suffix.length)
    return name.includes('.') ? undefined : findWebsiteByName(db, name)
  }

  /** Of each block of a page its Markdown as HTML. */
  function readMarkdown(key: string, blocks: readonly Block[], language: Language) {
    const known = htmlOf.get(key)
    if (known !== undefined) return known
    const reading = (async () => {
      const texts = blocks.map((block) => markdownOf(block, language))
      const made = await renderAuthorTexts(texts.flat())
      if (made === undefined) throw new Error('the texts of a website cannot be read in time')
      let at = 0
      return new Map(blocks.map(({ id }, index) => [id, made.slice(at, (at += texts[index]?.length ?? 0))] as const))
    })()
    if (htmlOf.size >= mostKept) htmlOf.delete(htmlOf.keys().next().value ?? '')
    htmlOf.set(key, reading)
    reading.catch(() => htmlOf.delete(key))
    return reading
  }

  async function answer(host: string, { method, path }: { method: string; path: string }): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: text, body: 'Method not allowed\n' }
    const row = await find(host)
    const now = new Date()
    if (row === undefined || !isOnline(row, now)) return notThere(row === undefined ? 404 : 503)
    const version = row.published_version ?? 0
    // However often one page is asked for, it is made once in a while.
    const key = [host, row.own_domain, row.id, version, row.name, path].join(' ')
    const kept = answers.get(key)
    if (kept !== undefined && kept.until > Date.now()) return kept.answer
    const making = make({ row, version, host, path })
    if (answers.size >= mostKept) answers.delete(answers.keys().next().value ?? '')
    answers.set(key, { until: Date.now() + factsKept, answer: making })
    making.catch(() => answers.delete(key))
    return making
  }

  async function make(asked: { row: WebsiteRow; version: number; host: string; path: string }): Promise<Answer> {
    const { row, version } = asked
    const found = await findWebsiteVersion(db, row.id, version)
    const content = contentSchema.safeParse(found?.content)
    if (!content.success) {
      deps.logger.error({ websiteId: row.id, version }, 'a published website does not fit its schema')
      return notThere(503)
    }
    return show({ ...asked, content: content.data })
  }

  async function show(site: {
    row: WebsiteRow
    version: number
    content: WebsiteContent
    host: string
    path: string
  }): Promise<Answer> {
    const { row, version, content, host, path } = site
    if (path.startsWith(fontsPath)) return showFont(path.slice(fontsPath.length))
    if (path.startsWith(picturesPath)) return showPicture(row.id, path.slice(picturesPath.length))
    const { findPage, renderIcon, renderPage, renderSitemap } = await pages()
    // One address of several is the one that search engines are told.
    const origin = websiteUrl(settings, row.own_domain ?? host)
    switch (path) {
      case '/robots.txt':
        return {
          status: 200,
          type: text,
          body: `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`,
          keptFor: 300,
        }
      case '/sitemap.xml':
        return {
          status: 200,
          type: 'application/xml; charset=utf-8',
          body: renderSitemap(content, origin),
          keptFor: 300,
        }
      case '/icon.svg':
        return { status: 200, type: 'image/svg+xml; charset=utf-8', body: renderIcon(content), keptFor: 3600 }
      case liveScriptPath:
        return { status: 200, type: 'text/javascript; charset=utf-8', body: liveScript(words), keptFor: 3600 }
      case liveFactsPath:
        return {
          status: 200,
          type: 'application/json; charset=utf-8',
          body: JSON.stringify(await tellLive(row, content)),
        }
    }
    const at = findPage(content, path)
    if (at === undefined) return notThere(404)
    const { language, page } = at
    const known = await factsOf(row, content, language)
    const html = await readMarkdown(`${row.id} ${version} ${language} ${page.slug}`, page.blocks, language)
    const pictures = await picturesOf(row.id, content)
    const made = renderPage({
      content,
      page,
      language,
      name: row.name,
      origin,
      setting: {
        server: (id) => known.get(id),
        picture: (picture) => pictures.get(picture),
        html: (id) => html.get(id) ?? [],
      },
    })
    return {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: made.html,
      policy: [
        ...baseDirectives,
        `style-src ${hashOf(made.style)}`,
        "img-src 'self'",
        "font-src 'self'",
        ...(made.isLive ? ["script-src 'self'", "connect-src 'self'"] : []),
      ].join('; '),
    }
  }

  async function showPicture(websiteId: string, name: string): Promise<Answer> {
    const found = websiteImageName.safeParse(name).success ? await findWebsiteImage(db, websiteId, name) : undefined
    if (found === undefined) return notThere(404)
    return { status: 200, type: 'image/webp', body: found, keptFor: 31_536_000 }
  }

  async function picturesOf(websiteId: string, content: WebsiteContent): Promise<Map<string, Picture>> {
    if (namedIn(content).images.length === 0) return new Map()
    const all = await listWebsiteImages(db, websiteId)
    return new Map(all.map(({ name, width, height }) => [name, { url: `${picturesPath}${name}`, width, height }]))
  }

  /** Only servers that are still its owner's. */
  function factsOf(row: WebsiteRow, content: WebsiteContent, language: Language): Promise<Map<string, ServerFacts>> {
    const { servers } = namedIn(content)
    if (servers.length === 0) return Promise.resolve(new Map())
    const key = `${row.id} ${row.published_version ?? 0} ${language}`
    const kept = facts.get(key)
    if (kept !== undefined && kept.until > Date.now()) return kept.known
    const known = (async () => {
      const all = new Map<string, ServerFacts>()
      for (const id of servers) {
        const server = await findServer(db, id)
        if (server === undefined || server.owner_id !== row.owner_id || server.deleted_at !== null) continue
        const isMapPublic = await isOpenToAll(db, server)
        all.set(id, factsFrom(describeServer({ ...server, capabilities: {} }, settings), { isMapPublic, language }))
      }
      return all
    })()
    if (facts.size >= mostKept) facts.delete(facts.keys().next().value ?? '')
    facts.set(key, { until: Date.now() + factsKept, known })
    known.catch(() => facts.delete(key))
    return known
  }

  function factsFrom(
    server: Server,
    { isMapPublic, language }: { isMapPublic: boolean; language: Language },
  ): ServerFacts {
    const { online, max, names } = server.status.players
    const panel = publicUrl(settings)
    return {
      address: server.address,
      edition: server.parameters.game === 'minecraft-bedrock' ? 'bedrock' : 'java',
      state: publicStates[panelState(server.status)],
      version: server.parameters.game_version ?? server.parameters.engine_version,
      players: online,
      most: max ?? server.parameters.limits.players,
      names: names.slice(0, shownNames),
      map: isMapPublic ? `${panel}/${language}/mapview/${server.id}` : null,
      shop: `${panel}/shop/${server.id}`,
    }
  }

  async function tellLive(row: WebsiteRow, content: WebsiteContent): Promise<LiveFacts> {
    const known = await factsOf(row, content, content.languages[0] ?? 'en')
    const named = new Set(
      content.pages.flatMap(({ blocks }) =>
        blocks.flatMap(({ type, props }) => (type === 'players' ? [props.server] : [])),
      ),
    )
    return Object.fromEntries(
      // Names only where the owner shows them.
      [...known].map(([id, { state, players, most, names }]) => [
        id,
        { state, players, most, names: named.has(id) ? names : [] },
      ]),
    )
  }

  /** Domains of owners' own may be any: they are looked up, and remembered for a moment. */
  function isOwnDomain(host: string): Promise<boolean> {
    const kept = hosts.get(host)
    if (kept !== undefined && kept.until > Date.now()) return kept.isOurs
    const isOurs = findWebsiteByDomain(db, host).then((row) => row !== undefined)
    if (hosts.size >= mostKept) hosts.delete(hosts.keys().next().value ?? '')
    hosts.set(host, { until: Date.now() + factsKept, isOurs })
    isOurs.catch(() => hosts.delete(host))
    return isOurs
  }

  return {
    async isOurs(host) {
      if (host === settings.SITES_DOMAIN || host.endsWith(suffix)) return true
      if (host === panelHost || !host.includes('.') || isIP(host) !== 0) return false
      // Without the database there is the panel, which says so.
      return isOwnDomain(host).catch(() => false)
    },
    answer,
  }
}

/** One of the faces that websites may have. */
async function showFont(name: string): Promise<Answer> {
  if (!Object.hasOwn(fontFiles, name)) return notThere(404)
  const file = fileURLToPath(import.meta.resolve(fontFiles[name as keyof typeof fontFiles]))
  return { status: 200, type: 'font/woff2', body: await readFile(file), keptFor: 31_536_000 }
}

/** There is none, or it is not shown now: nobody outside learns which of the reasons it is. */
function notThere(status: 404 | 503): Answer {
  const style =
    'body{margin:0;min-height:100vh;display:grid;place-content:center;gap:.5rem;text-align:center;padding:2rem;background:#0e1116;color:#e8ebef;font-family:system-ui,sans-serif;line-height:1.6}h1{font-size:1.5rem;margin:0}p{margin:0;color:#a3aebc}'
  const lines =
    status === 404
      ? ['There is no such page.', 'Nie ma takiej strony.', 'Diese Seite gibt es nicht.']
      : ['This website is not online.', 'Ta strona jest wyłączona.', 'Diese Website ist nicht online.']
  const [first = '', ...others] = lines
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${first}</title><style>${style}</style></head><body><h1>${first}</h1><p lang="pl">${others[0]}</p><p lang="de">${others[1]}</p></body></html>`,
    policy: [...baseDirectives, `style-src ${hashOf(style)}`].join('; '),
  }
}
