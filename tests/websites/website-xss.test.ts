/** Hostile texts, links and shapes, through every field of every block: what cannot be harmless is refused, the rest shown as text. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import { blockProps, blockTypes, type WebsiteContent } from '@wakestone/contract/websites/content'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { all, blockOf, contentOf, markdown, texts } from '../support/hostile-websites.ts'
import { outcomeOf } from '../support/outcome.ts'
import { topUp } from '../support/servers.ts'

const links = [
  'javascript:window.hacked=1',
  ' javascript:window.hacked=1',
  'java\nscript:window.hacked=1',
  'data:text/html,<script>window.hacked=1</script>',
  'http://plain.example',
  '//evil.example',
  '/\\evil.example',
  'https://user:secret@evil.example',
  'https:evil',
  'https://evil.example\\@good.example',
  '/../panel',
  '/a?x=<script>',
  'mailto:x@example.com',
  'HTTPS:/evil',
]

let api: TestApi
let owner: Caller
let website: Craftum
beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp({ capabilities: { 'user.craftum': true } })
  const body = {
    name: '<script>window.hacked=1</script>',
    subdomain: 'hostile',
    wallet_id: await topUp(api.context, owner, 10_000),
    currency: 'PLN' as const,
    billing_period: '720h' as const,
  }
  website = await owner.call(routes.createCraftum, { body })
})
afterAll(() => api.close())

async function send(content: unknown) {
  const { revision } = await owner.call(routes.getCraftumParameters, { params: { id: website.id } })
  return owner.call(routes.changeCraftum, {
    params: { id: website.id },
    body: { content: content as WebsiteContent, revision },
  })
}
async function publishAndRead(content: unknown): Promise<string> {
  await send(content)
  const { revision } = await owner.call(routes.getCraftumParameters, { params: { id: website.id } })
  await owner.call(routes.publishCraftum, { params: { id: website.id }, body: { revision } })
  return read('/')
}
function read(path: string): Promise<string> {
  const { port } = new URL(api.origin)
  return new Promise((resolve, reject) => {
    const asking = httpRequest(
      { host: '127.0.0.1', port, path, headers: { host: `hostile.sites.localhost:${port}` } },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (body += part))
        answer.on('end', () => resolve(body))
      },
    )
    asking.on('error', reject)
    asking.end()
  })
}

const tags = new Set(
  'html head meta title link style script body div a header nav ul ol li main h1 h2 h3 h4 h5 h6 p section span button dl dt dd time footer img em strong del code pre blockquote hr br table thead tbody tr th td svg path'.split(
    ' ',
  ),
)
const attributes = new Set(
  'lang charset name content rel href hreflang type property src defer class id data-align data-server data-state data-live data-copy data-done hidden aria-label aria-current datetime width height alt loading decoding fetchpriority start align as crossorigin data-face viewbox preserveaspectratio focusable aria-hidden d'.split(
    ' ',
  ),
)
/** Every tag of a page is one of ours, with our attributes, and leads where it may. */
function requireHarmless(html: string): void {
  const withoutStyle = html.replace(/<style>[^<]*<\/style>/, '')
  for (const [tag, slash, name = '', rest = ''] of withoutStyle.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>/gi)) {
    expect(tags, tag).toContain(name.toLowerCase())
    if (slash === '/') continue
    for (const [, attribute = '', value = ''] of rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) {
      if (attribute === '/') continue
      expect(attributes, tag).toContain(attribute.toLowerCase())
      if (attribute === 'href' || attribute === 'src')
        expect(value, tag).toMatch(/^(https:\/\/|mailto:|\/(?![/\\])|#content$|http:\/\/hostile\.sites\.localhost)/)
    }
    if (name === 'script') expect(tag).toBe('<script src="/live.js" defer="">')
  }
  // Whatever else begins like a tag was text.
  expect(withoutStyle.replace(/<\/?[a-z0-9]+(?:\s[^<>]*)?>|<!doctype html>/gi, '')).not.toContain('<')
}

describe.each(blockTypes)('%s', (type) => {
  test('shows hostile texts as texts', async () => {
    const blocks = texts.map((text, index) => ({
      ...blockOf(type, { text: text.slice(0, 60) }),
      id: `${type}-${index}`,
    }))
    requireHarmless(await publishAndRead(contentOf(blocks)))
  })

  test('refuses what has no place in it', async () => {
    const good = blockOf(type, { text: 'Hello' })
    const refused = [
      { ...good, type: 'script' },
      { ...good, dangerouslySetInnerHTML: { __html: 'x' } },
      { ...good, props: { ...good.props, dangerouslySetInnerHTML: { __html: '<b>' } } },
      { ...good, props: { ...good.props, onClick: 'x' } },
      { ...good, props: { ...good.props, title: { ...all('x'), __proto__: { en: 'y' }, fr: 'z' } } },
      { ...good, props: { ...good.props, children: [{ type: 'script' }] } },
      { ...good, props: { ...good.props, [type === 'footer' ? 'text' : 'title']: '<b>' } },
      { ...good, id: '"><script>' },
      { ...good, props: {} },
    ]
    for (const block of refused)
      expect(await outcomeOf(send(contentOf([block]))), JSON.stringify(block)).toBe('invalid_request')
  })
})

test('Markdown leads to https only, and holds no HTML', async () => {
  const blocks = (['text', 'news', 'rules'] as const).flatMap((type) =>
    markdown.slice(0, 12).map((body, index) => ({ ...blockOf(type, { text: 'x', body }), id: `${type}-${index}` })),
  )
  requireHarmless(await publishAndRead(contentOf(blocks)))
  const others = markdown
    .slice(12)
    .map((body, index) => ({ ...blockOf('text', { text: 'x', body }), id: `text-${index}` }))
  const html = await publishAndRead(contentOf(others))
  requireHarmless(html)
  expect(html).toContain('https://good.example')
  expect(html).not.toContain('evil.example')
})

test.each(['hero', 'votes', 'footer'] as const)('links of %s lead to https, or within the website', async (type) => {
  for (const link of links) {
    const block = blockOf(type, { text: 'x', link: type === 'votes' ? '' : link })
    if (block.type === 'votes') block.props.links = [{ label: 'x', link }]
    expect(await outcomeOf(send(contentOf([block]))), link).toBe('invalid_request')
  }
  const good = blockOf(type, { text: 'x', link: 'https://good.example/a?b=c#d' })
  const html = await publishAndRead(contentOf([good]))
  expect(html).toMatch(/href="https:..good.example.a.b=c#d" (class="[a-z -]+" )?rel="noopener nofollow ugc"/)
})

test('titles, descriptions, languages, colours and addresses cannot break out either', async () => {
  for (const text of texts) requireHarmless(await publishAndRead(contentOf([], text.slice(0, 60))))
  const good = contentOf([])
  const [page] = good.pages
  const refused = [
    { ...good, theme: { ...good.theme, accent: 'red;}</style><script>' } },
    { ...good, theme: { ...good.theme, look: '</style>' } },
    { ...good, theme: { ...good.theme, font: 'url(https://evil.example)' } },
    { ...good, languages: ['xx'] },
    { ...good, languages: ['en', 'en'] },
    { ...good, pages: [{ ...page, slug: 'home' }] },
    { ...good, pages: [page, { ...page, slug: 'pl' }] },
    { ...good, pages: [page, { ...page, slug: 'Rules' }] },
    { ...good, pages: [page, { ...page, slug: '../x' }] },
    { ...good, head: '<script>' },
    { ...good, pages: [] },
  ]
  for (const content of refused) expect(await outcomeOf(send(content)), JSON.stringify(content)).toBe('invalid_request')
})

test('what is too much is refused: blocks, pages, bytes, and text that takes too long to read', async () => {
  const block = (index: number, length = 1) => ({
    ...blockOf('text', { text: 'x', body: 'y'.repeat(length) }),
    id: `b-${index}`,
  })
  expect(await outcomeOf(send(contentOf(Array.from({ length: 41 }, (_, index) => block(index)))))).toBe(
    'invalid_request',
  )
  const large = contentOf(Array.from({ length: 8 }, (_, index) => block(index, 9_000)))
  expect(await outcomeOf(send(large))).toBe('request_too_large')
  const unseen = contentOf([blockOf('text', { text: 'safe\u202egnp.exe' })])
  expect(await outcomeOf(send(unseen))).toBe('invalid_request')
})

test('what stands in the database goes through the same schemas before it is shown', async () => {
  await publishAndRead(contentOf([blockOf('text', { text: 'Hello' })]))
  const content = contentOf([{ id: 'x', type: 'html', props: { html: '<script>window.hacked=1</script>' } }])
  await api.context.db
    .insertInto('craftum_versions')
    .values({ craftum_id: website.id, version: 1000, content: JSON.stringify(content) })
    .execute()
  await api.context.db.updateTable('craftums').set({ published_version: 1000 }).where('id', '=', website.id).execute()
  const html = await read('/')
  expect(html).not.toContain('hacked')
  expect(html).toContain('This website is not online.')
})

test('the corpus reaches every block', () => {
  for (const type of blockTypes) blockProps[type].parse(blockOf(type, { text: 'x' }).props)
})
