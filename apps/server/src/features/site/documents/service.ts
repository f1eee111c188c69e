/** Legal documents in their versions, and the words of public pages. */
import { z } from 'zod'
import {
  documentVersionSchema,
  type LegalDocument,
  type LegalSlug,
  type PageSlug,
  type WordPage,
} from '@wakestone/contract/site/document'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
export { renderAuthorMarkdown, renderAuthorTexts, writeAuthorHtml } from './author-markdown.ts'
import { createMarkdown } from './markdown.ts'
import { foldersOf, readEarlier, readSource, type Source, stampOf } from './sources.ts'
import { layOutPage } from './word-page.ts'
import { wordsFor } from './words.ts'

type Place = Pick<Context, 'settings' | 'logger'>

const legalFields = z.object({
  title: z.string().min(1),
  version: documentVersionSchema,
  date: z.iso.date(),
  sample: z.literal('true').optional(),
  /** Who agreed to an earlier version has to agree to this one before they go on. */
  consent: z.literal('required').optional(),
})
type Edition = z.infer<typeof legalFields> & { source: Source }

function readEdition(source: Source | undefined, { logger }: Place): Edition | undefined {
  if (source === undefined) return undefined
  const { success, data, error } = legalFields.safeParse(source.fields)
  if (success) return { ...data, source }
  const faults = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  logger.warn({ file: source.file, faults }, 'a document lacks title, version or date: it is left out')
  return undefined
}

/** All versions kept in a language, newest first. An operator's file takes the place of ours, not beside it. */
async function listEditions(place: Place, slug: LegalSlug, language: Language): Promise<Edition[]> {
  const { operator, builtIn } = foldersOf(place.settings, `legal/${slug}`)
  const own = readEdition(await readSource(`${operator}/${language}.md`, place), place)
  const sources = [
    ...(await readEarlier(operator, language, place)),
    ...(own === undefined ? [await readSource(`${builtIn}/${language}.md`, place)] : []),
    ...(own === undefined ? await readEarlier(builtIn, language, place) : []),
  ]
  const editions = [own, ...sources.map((source) => readEdition(source, place))].filter((one) => one !== undefined)
  const unique = editions.filter(
    ({ version }, index) => editions.findIndex((other) => other.version === version) === index,
  )
  return unique.toSorted(
    (a, b) => b.date.localeCompare(a.date) || b.version.localeCompare(a.version, 'en', { numeric: true }),
  )
}

const lookMilliseconds = 250
const looked = new WeakMap<Place['settings'], Map<string, { until: number; editions: Promise<Edition[]> }>>()

/** All versions, as they were a moment ago: every page of everybody who is signed in asks. */
function lookAtEditions(place: Place, slug: LegalSlug, language: Language): Promise<Edition[]> {
  const looks = looked.get(place.settings) ?? new Map<string, { until: number; editions: Promise<Edition[]> }>()
  looked.set(place.settings, looks)
  const key = `${slug} ${language}`
  const last = looks.get(key)
  if (last !== undefined && last.until > Date.now()) return last.editions
  const editions = listEditions(place, slug, language)
  looks.set(key, { until: Date.now() + lookMilliseconds, editions })
  return editions
}

/** The newest whose date has come. */
function inForce(editions: readonly Edition[]): Edition | undefined {
  const today = new Date().toISOString().slice(0, 10)
  return editions.find(({ date }) => date <= today) ?? editions.at(-1)
}

const rendered = new WeakMap<Place['settings'], Map<string, Pick<LegalDocument, 'html' | 'headings'>>>()

/** @throws DomainError `resource_not_found` for a version that is not kept. */
export async function showDocument(
  place: Place,
  { slug, language, version }: { slug: LegalSlug; language: Language; version?: string | undefined },
): Promise<LegalDocument> {
  const editions = await listEditions(place, slug, language)
  const current = inForce(editions)
  const edition = version === undefined ? current : editions.find((one) => one.version === version)
  if (current === undefined || edition === undefined) throw new DomainError('resource_not_found')
  return {
    slug,
    title: edition.title,
    version: edition.version,
    date: edition.date,
    is_sample: edition.sample === 'true',
    ...render(place, edition.source, language),
    current_version: current.version,
    versions: editions.map((one) => ({ version: one.version, date: one.date })),
  }
}

function render({ settings }: Place, { body }: Source, language: Language) {
  const kept = rendered.get(settings) ?? new Map<string, Pick<LegalDocument, 'html' | 'headings'>>()
  rendered.set(settings, kept)
  const key = `${language} ${body}`
  const before = kept.get(key)
  if (before !== undefined) return before
  const markdown = createMarkdown(wordsFor(settings, language))
  const result = { html: markdown.render(markdown.lex(body)), headings: markdown.headings }
  kept.set(key, result)
  return result
}

/** What someone agrees to now, who registers or takes the newsletter. Undefined when not even our own file can be read. */
export async function termsInForce(
  place: Place,
  language: Language,
  slug: LegalSlug = 'terms-of-service',
): Promise<{ version: string; date: string } | undefined> {
  const edition = inForce(await listEditions(place, slug, language))
  return edition && { version: edition.version, date: edition.date }
}

/**
 * What somebody who agreed to a version has not agreed to yet; undefined when that one is in force.
 * `required`: one of the versions since then demands it.
 */
export async function termsSince(
  place: Place,
  { slug, language, agreed }: { slug: LegalSlug; language: Language; agreed: string },
): Promise<{ version: string; required: boolean } | undefined> {
  const editions = await lookAtEditions(place, slug, language)
  const current = inForce(editions)
  if (current === undefined || current.version === agreed) return undefined
  const since = editions.slice(editions.indexOf(current))
  const known = since.findIndex(({ version }) => version === agreed)
  const missed = known < 0 ? [current] : since.slice(0, known)
  return { version: current.version, required: missed.some(({ consent }) => consent === 'required') }
}

/** @throws DomainError `resource_not_found` when not even our own file can be read. */
export async function showWordPage(
  place: Place,
  { slug, language }: { slug: PageSlug; language: Language },
): Promise<WordPage> {
  const { operator, builtIn } = foldersOf(place.settings, `pages/${slug}`)
  const source =
    (await readSource(`${operator}/${language}.md`, place)) ?? (await readSource(`${builtIn}/${language}.md`, place))
  if (source === undefined) throw new DomainError('resource_not_found')
  return { slug, ...layOutPage(source, wordsFor(place.settings, language)) }
}

/** Changes whenever what is told of a document or a page does, be it by an operator's file or by one of ours. */
export async function contentStamp({ settings }: Pick<Place, 'settings'>, slug: LegalSlug | PageSlug): Promise<string> {
  const folders = ['legal', 'pages'].flatMap((kind) => Object.values(foldersOf(settings, `${kind}/${slug}`)))
  // The day too: it brings versions into force.
  const stamps = await Promise.all([new Date().toISOString().slice(0, 10), ...folders.map(stampOf)])
  return stamps.join('\n')
}
