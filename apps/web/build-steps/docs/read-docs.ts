/** Reads all documentation, in every language, and finds what is wrong with it: nothing of it is looked at later. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import MiniSearch from 'minisearch'
import sharp from 'sharp'
import { type Language, languages } from '@wakestone/contract/primitives'
import { docEntries, docFile, isInEveryLanguage } from '../../app/features/docs/docs-contents.ts'
import { type DocSection, searchOptions } from '../../app/features/docs/search-options.ts'
import type { DocPage } from '../../app/features/docs/docs-types.ts'
import { type WrittenPage, writePage } from './write-page.ts'

export type Docs = {
  /** By language and path. */
  pages: Record<Language, Record<string, DocPage>>
  /** A serialised index of each language. */
  indexes: Record<Language, string>
  /** Files of the repository that pages show, with the address each is served at. */
  pictures: { file: string; address: string }[]
  faults: string[]
}

type Picture = { address: string; width: number; height: number }
export type Repository = {
  /** The text of a file; undefined where there is none. */
  read: (file: string) => string | undefined
  has: (path: string) => boolean
  /** @returns undefined for what is no picture. */
  measure: (file: string) => Promise<{ width: number; height: number } | undefined>
}

export function openRepository(root: string): Repository {
  const at = (path: string) => join(root, path)
  return {
    read: (file) => (existsSync(at(file)) && statSync(at(file)).isFile() ? readFileSync(at(file), 'utf8') : undefined),
    has: (path) => existsSync(at(path)),
    measure: (file) =>
      sharp(at(file))
        .metadata()
        .then(({ width, height }) => ({ width, height }))
        .catch(() => undefined),
  }
}

const isPicture = (path: string) => /\.(?:webp|avif|png)$/.test(path)

export async function readDocs(repository: Repository): Promise<Docs> {
  const faults = new Set<string>()
  const pathOf = new Map(
    languages.flatMap((language) => docEntries.map((entry) => [docFile(entry, language), entry.path] as const)),
  )
  const sources = new Map<string, string>()
  for (const file of pathOf.keys()) {
    const source = repository.read(file)
    if (source === undefined) faults.add(`${file} is missing`)
    else sources.set(file, source)
  }
  const pictures = await findPictures(sources, repository)

  const written = new Map<string, WrittenPage>()
  const anchors: { from: string; file: string; anchor: string }[] = []
  function write(file: string, source: string, language: Language): WrittenPage | undefined {
    const picture = (href: string) => {
      const found = pictures.get(within(file, href))
      if (found === undefined) faults.add(`${file}: no picture ${href}`)
      return found
    }
    const link = (href: string) => {
      if (/^(?:https?|mailto):/.test(href)) return { address: href, isOutside: true }
      const [path = '', anchor] = decodeURI(href).split('#')
      const target = path === '' ? file : within(file, path)
      if (isPicture(target)) {
        const found = picture(href)
        return found && { address: found.address, isOutside: false }
      }
      if (anchor !== undefined) anchors.push({ from: file, file: target, anchor })
      const known = pathOf.get(target)
      if (known !== undefined) {
        const hash = anchor === undefined ? '' : `#${anchor}`
        return { address: path === '' ? hash : `/${language}/docs${known}${hash}`, isOutside: false }
      }
      if (!repository.has(target)) faults.add(`${file}: ${href} leads nowhere`)
      // What only the repository has stays words.
      return undefined
    }
    try {
      return writePage(source, { link, picture })
    } catch (error) {
      faults.add(`${file}: ${(error as Error).message}`)
      return undefined
    }
  }

  const pages = {} as Docs['pages']
  const indexes = {} as Docs['indexes']
  for (const language of languages) {
    pages[language] = {}
    const index = new MiniSearch<DocSection>(searchOptions(language))
    for (const entry of docEntries) {
      const file = docFile(entry, language)
      const source = sources.get(file)
      const page = source === undefined ? undefined : write(file, source, language)
      if (page === undefined) continue
      written.set(file, page)
      const { lead, html, headings, sections } = page
      // The first decisions are numbered, in their files' names too; in a list the numbers stop in the middle.
      const title = page.title.replace(/^\d+\. /, '')
      pages[language][entry.path] = {
        path: entry.path,
        title,
        lead,
        html,
        headings,
        language: isInEveryLanguage(entry) ? language : 'en',
      }
      for (const { id, heading, also, text } of sections) {
        const at = id === '' ? entry.path : `${entry.path}#${id}`
        if (entry.audience === 'guide' && also === '') faults.add(`${file}: no words of readers for #${id}`)
        index.add({ id: at, page: title, heading, also, text, start: cut(text, 140) })
      }
    }
    indexes[language] = JSON.stringify(index)
  }
  for (const { from, file, anchor } of anchors) {
    const page = written.get(file)
    if (page !== undefined && !page.headings.some(({ id }) => id === anchor))
      faults.add(`${from}: no heading #${anchor} in ${file}`)
  }
  for (const entry of docEntries.filter(isInEveryLanguage)) {
    const depth = (language: Language) => pages[language][entry.path]?.headings.map(({ level }) => level).join()
    for (const language of languages)
      if (depth(language) !== depth('en')) faults.add(`${docFile(entry, language)}: other headings than in English`)
  }
  return {
    pages,
    indexes,
    pictures: [...pictures].map(([file, { address }]) => ({ file, address })),
    faults: [...faults],
  }
}

/** A path of the repository, from a link in one of its files. */
function within(file: string, href: string): string {
  return normalize(join(dirname(file), href)).replace(/\/$/, '')
}

async function findPictures(
  sources: ReadonlyMap<string, string>,
  repository: Repository,
): Promise<Map<string, Picture>> {
  const named = new Set<string>()
  for (const [file, source] of sources)
    for (const [, href] of source.matchAll(/\]\(([^)\s]+)\)/g))
      if (href !== undefined && !/^[a-z]+:/.test(href) && isPicture(href)) named.add(within(file, href))
  const found = await Promise.all(
    [...named].map(async (file) => {
      const size = await repository.measure(file)
      return size === undefined ? [] : [[file, { address: `/static/${file}`, ...size }] as const]
    }),
  )
  return new Map(found.flat())
}

/** Whole words of the beginning. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/\s+\S*$/, '')} …`
}
