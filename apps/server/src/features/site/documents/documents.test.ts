import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { legalDocumentSchema, legalSlugs, pageSlugs, wordPageSchema } from '@wakestone/contract/site/document'
import { languages } from '@wakestone/contract/primitives'
import type { Logger } from '@wakestone/kit/logger'
import { readSettings } from '@wakestone/kit/settings'
import { publicPages } from '../../../../../web/app/public-pages.ts'
import { showDocument, showWordPage, termsInForce } from './service.ts'

let dataDir: string
let warnings: unknown[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ws-documents-'))
  warnings = []
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function place(env: Record<string, string> = {}) {
  const logger = { warn: (...entry: unknown[]) => warnings.push(entry) } as unknown as Logger
  return { settings: readSettings({ DATA_DIR: dataDir, NODE_ENV: 'test', ...env }), logger }
}
function operatorWrites(path: string, text: string): void {
  const file = join(dataDir, 'content', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const edition = (version: string, date: string, body: string) =>
  `---\ntitle: Ours\nversion: ${version}\ndate: ${date}\n---\n\n${body}\n`
const privacy = (language: 'en' | 'pl' | 'de', version?: string) => ({
  slug: 'privacy-policy' as const,
  language,
  version,
})

describe.each(legalSlugs)('%s', (slug) => {
  test('says in every language the same things under the same anchors', async () => {
    const all = await Promise.all(languages.map((language) => showDocument(place(), { slug, language })))
    for (const document of all) {
      expect(legalDocumentSchema.parse(document)).toMatchObject({ is_sample: true, version: all[0]?.version })
      const levels = document.headings.map(({ level }) => level)
      expect(levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)).toBe(true)
      expect(document.headings.map(({ id }) => id)).toEqual(all[0]?.headings.map(({ id }) => id))
      expect(document.html).not.toMatch(/\{[{#]|<!--/)
    }
    expect(new Set(all.map(({ title }) => title)).size).toBe(languages.length)
  })
})

test('links between the documents lead to pages and headings that exist', async () => {
  const anchors = new Map<string, Set<string>>()
  const links: string[] = []
  const addressesIn = (html: string) => Array.from(html.matchAll(/href="(\/[^"]*)"/g), (match) => match[1] ?? '')
  for (const language of languages) {
    for (const slug of legalSlugs) {
      const { html, headings } = await showDocument(place(), { slug, language })
      anchors.set(`/${language}/${slug}`, new Set(headings.map(({ id }) => id)))
      links.push(...addressesIn(html))
    }
    for (const slug of pageSlugs) {
      const { sections, actions } = await showWordPage(place(), { slug, language })
      links.push(
        ...actions.map(({ to }) => to),
        ...sections.flatMap(({ html, items }) => [html, ...items.map((item) => item.html)]).flatMap(addressesIn),
      )
    }
  }
  expect(links.length).toBeGreaterThan(50)
  const broken = links.filter((link) => {
    const [path = '', id] = link.split('#')
    const isPage = [...publicPages.map((page) => page.path), '/contact', '/newsletter'].includes(path.slice(3))
    return !isPage || (id !== undefined && !anchors.get(path)?.has(id))
  })
  expect([...new Set(broken)]).toEqual([])
})

test.each(pageSlugs)('the page %s has the same parts in every language', async (slug) => {
  const shapes = await Promise.all(
    languages.map(async (language) => {
      const page = wordPageSchema.parse(await showWordPage(place(), { slug, language }))
      expect([page.title, page.lead, page.actions.length]).not.toContain('')
      return page.sections.map(({ id, kind, is_soon, items }) => [
        id,
        kind,
        is_soon,
        items.map((item) => [item.icon, item.is_soon]),
      ])
    }),
  )
  expect(shapes[1]).toEqual(shapes[0])
  expect(shapes[2]).toEqual(shapes[0])
  expect(shapes[0]?.length).toBeGreaterThan(2)
})

test.each([
  ['en', 'Recommend us. Get 25%.', '25%', '3 months', '1 day'],
  ['pl', 'Poleć nas. Otrzymaj 25%.', '25%', '3 miesiące', '1 dzień'],
  ['de', 'Empfiehl uns. Erhalte 25\u00a0%.', '25\u00a0%', '3 Monate', '1 Tag'],
] as const)('what affiliates get is told as it is set (%s)', async (language, title, ...facts) => {
  const env = { AFFILIATE_PERCENT: '25', AFFILIATE_MONTHS: '3', AFFILIATE_HOLD_DAYS: '1' }
  const page = await showWordPage(place(env), { slug: 'affiliate', language })
  expect(page.title).toBe(title)
  expect(page.sections[0]?.items.map((item) => item.title)).toEqual(facts)
  expect(JSON.stringify(page)).not.toMatch(/10[\s\u00a0]?%|\b12\b|\{\{/)
})

describe('an operator', () => {
  test('replaces a document in one language; the others stay', async () => {
    operatorWrites('legal/privacy-policy/pl.md', edition('7.2', '2026-01-31', '## Nasze {#our}\n\nTekst.'))
    const polish = await showDocument(place(), privacy('pl'))
    expect(polish).toMatchObject({ title: 'Ours', version: '7.2', date: '2026-01-31', is_sample: false })
    expect(polish.headings).toEqual([{ id: 'our', level: 2, text: 'Nasze' }])
    expect(polish.versions).toEqual([{ version: '7.2', date: '2026-01-31' }])
    expect(await showDocument(place(), privacy('de'))).toMatchObject({ is_sample: true })
    operatorWrites('legal/privacy-policy/pl.md', edition('7.3', '2026-02-28', 'Nowy tekst, inna długość.'))
    expect(await showDocument(place(), privacy('pl'))).toMatchObject({ version: '7.3' })
  })

  test('keeps earlier versions, and announces the next', async () => {
    operatorWrites('legal/privacy-policy/en.md', edition('3.0', '2999-01-01', 'Third.'))
    operatorWrites('legal/privacy-policy/2.10/en.md', edition('2.10', '2026-02-01', 'Second.'))
    operatorWrites('legal/privacy-policy/2.9/en.md', edition('2.9', '2026-02-01', 'First.'))
    const current = await showDocument(place(), privacy('en'))
    expect(current.html).toContain('Second.')
    expect(current.versions.map(({ version }) => version)).toEqual(['3.0', '2.10', '2.9'])
    expect(current.current_version).toBe('2.10')
    expect((await showDocument(place(), privacy('en', '2.9'))).html).toContain('First.')
    expect((await showDocument(place(), privacy('en', '3.0'))).html).toContain('Third.')
    await expect(showDocument(place(), privacy('en', '1.0'))).rejects.toThrow('resource_not_found')
  })

  test('fills in names and addresses; what is unset is marked', async () => {
    operatorWrites(
      'legal/privacy-policy/en.md',
      edition(
        '1.0',
        '2026-01-01',
        '## {{operator_name}}\n\n{{operator_name}}, {{operator_address}}, {{support_email}}, {{odd}}, `{{game_domain}}`',
      ),
    )
    const { html, headings } = await showDocument(
      place({ OPERATOR_NAME: 'Ogon & <b>Syn</b>', SUPPORT_EMAIL: 'help@ogon.example' }),
      privacy('en'),
    )
    expect(html).toContain('Ogon &amp; &lt;b&gt;Syn&lt;/b&gt;, <mark>[address of the operator]</mark>')
    expect(html).toContain('<a href="mailto:help@ogon.example">help@ogon.example</a>, <mark>[odd]</mark>')
    expect(html).toContain('<code>localhost</code>')
    expect(headings[0]?.text).toBe('Ogon & <b>Syn</b>')
  })

  test('who makes a mistake is told, and visitors see what there was before', async () => {
    operatorWrites('legal/privacy-policy/en.md', '---\ntitle: Ours\nversion: one\ndate: yesterday\n---\nText.')
    mkdirSync(join(dataDir, 'content/legal/store-terms/en.md'), { recursive: true })
    operatorWrites('legal/newsletter-terms/en.md', 'x'.repeat(1024 * 1024 + 1))
    expect(await showDocument(place(), privacy('en'))).toMatchObject({ is_sample: true })
    expect(JSON.stringify(warnings)).toMatch(/version.*date/)
    warnings = []
    expect(await showDocument(place(), { slug: 'store-terms', language: 'en' })).toMatchObject({ is_sample: true })
    expect(await showDocument(place(), { slug: 'newsletter-terms', language: 'en' })).toMatchObject({ is_sample: true })
    expect(warnings).toHaveLength(2)
  })

  test('replaces a page of words, whatever it holds', async () => {
    operatorWrites(
      'pages/parents/en.md',
      '---\ntitle: Hello\naction: Go | javascript:alert(1)\n---\nLost.\n\n## A {.cards}\n\n### <b>One</b> {icon=x}\n\nText',
    )
    const page = wordPageSchema.parse(await showWordPage(place(), { slug: 'parents', language: 'en' }))
    expect(page).toMatchObject({
      title: 'Hello',
      actions: [],
      sections: [{ id: 'a', kind: 'cards', items: [{ title: '<b>One</b>' }] }],
    })
  })
})

test.each([
  ['<script>alert(1)</script>', /<script/],
  ['Text <img src=x onerror=alert(1)> text', /<img/],
  ['<div onclick="x()">\n\n## Heading\n\n</div>', /<div/],
  ['[x](javascript:alert(1))', /javascript:/],
  ['[x](JaVa\tScript:alert(1)) [y](data:text/html,x) [z](vbscript:x)', /href/],
  ['[x](//evil.example) [y](/\\evil.example)', /href/],
  ['<javascript:alert(1)>', /href/],
  ['![x](https://evil.example/pixel.png "t")', /<img|evil\.example/],
  ['[x](https://a.example/"onmouseover="alert(1))', /" ?onmouseover="/],
  ['## <img src=x onerror=alert(1)> {#"><script>}', /<img|<script/],
  ['| <script>a</script> |\n|---|\n| <script>b</script> |', /<script/],
  ['`<script>` and\n\n```html"><script>\n<script>x</script>\n```', /<script/],
  ['&lt;script&gt; &#60;script&#62;', /<script/],
])('%j does no harm', async (body, harm) => {
  operatorWrites('legal/privacy-policy/en.md', edition('1.0', '2026-01-01', body))
  const { html } = await showDocument(place(), privacy('en'))
  expect(html).not.toMatch(harm)
  expect(html.length).toBeGreaterThan(5)
})

test('headings never skip a level nor share an id', async () => {
  operatorWrites(
    'legal/privacy-policy/en.md',
    edition('1.0', '2026-01-01', '# Zażółć gęślą\n\n#### Zażółć gęślą\n\n## content\n\n## ---'),
  )
  const { headings } = await showDocument(place(), privacy('en'))
  expect(headings.map(({ id, level }) => `${level} ${id}`)).toEqual([
    '2 zazolc-gesla',
    '3 zazolc-gesla-2',
    '2 content-2',
    '2 section',
  ])
})

test('the terms in force are those that a visitor reads', async () => {
  operatorWrites('legal/terms-of-service/pl.md', edition('4.1', '2026-03-01', 'Tekst.'))
  expect(await termsInForce(place(), 'pl')).toEqual({ version: '4.1', date: '2026-03-01' })
  expect((await termsInForce(place(), 'en'))?.version).toBe(
    (await showDocument(place(), { slug: 'terms-of-service', language: 'en' })).version,
  )
})
