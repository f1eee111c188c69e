/**
 * One page of documentation, from Markdown of the repository to HTML. Headings are named as GitHub names them, so that
 * a link to `operating.md#production` leads to the same place there and here. What was written as HTML is shown as text,
 * but for `<!-- also: … -->` below a heading: words of readers for the search, with `; ` between them.
 */
import { escapeHtml } from '@wakestone/kit/escape-html'
import { writeTable } from '@wakestone/kit/html-table'
import { Marked, type Token, type Tokens } from 'marked'
import type { DocHeading } from '../../app/features/docs/docs-types.ts'

export type WrittenPage = {
  title: string
  /** Its first paragraph, as plain words. */
  lead: string
  html: string
  headings: DocHeading[]
  /** The text below each heading, and first that before any. `also`: what readers call it. */
  sections: { id: string; heading: string; also: string; text: string }[]
}

/** What a link or a picture of a page leads to; undefined for what only the repository has. */
export type Resolve = {
  link: (href: string) => { address: string; isOutside: boolean } | undefined
  picture: (href: string) => { address: string; width: number; height: number } | undefined
}

/** As GitHub makes them, among those of the same page. */
function createIds(): (text: string) => string {
  const counts = new Map<string, number>()
  return (text) => {
    const base = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(base) ?? 0
    counts.set(base, count + 1)
    return count === 0 ? base : `${base}-${count}`
  }
}

export function writePage(source: string, { link, picture }: Resolve): WrittenPage {
  const marked = new Marked({ gfm: true, async: false })
  const tokens = marked.lexer(source)
  const claimId = createIds()
  const ids = new Map<Tokens.Heading, DocHeading>()
  for (const token of tokens) {
    if (!isHeading(token)) continue
    const text = wordsOf([token]).trim()
    ids.set(token, { id: claimId(text), level: token.depth, text })
  }
  const first = tokens.find(isHeading)
  if (first === undefined || first.depth !== 1) throw new Error('the first heading is not the title')
  const written = tokens.filter((token) => token !== first)
  const body = written.filter((token) => readAlso(token) === undefined)
  const headings = [...ids.values()].slice(1)

  marked.use({
    renderer: {
      heading(token) {
        const { id, level, text } = ids.get(token) ?? { id: claimId(token.text), level: token.depth, text: token.text }
        const inner = this.parser.parseInline(token.tokens)
        // A heading with a link of its own would hold a link in a link.
        const linked = inner.includes('<a ') ? escapeHtml(text) : inner
        return `<h${level} id="${id}"><a href="#${id}">${linked}</a></h${level}>\n`
      },
      link({ href, tokens: inner }) {
        const words = this.parser.parseInline(inner)
        const target = link(href)
        if (target === undefined) return words
        const rel = target.isOutside ? ' rel="noopener"' : ''
        return `<a href="${escapeHtml(target.address)}"${rel}>${words}</a>`
      },
      image({ href, text }) {
        const found = picture(href)
        if (found === undefined) return escapeHtml(text)
        const { address, width, height } = found
        return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`
      },
      code: ({ text }) =>
        // Can be scrolled, so it can be reached. The words of the button are the reader's.
        `<div data-code><button type="button" data-copy>{{copy}}</button><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`,
      html: ({ text, block }) => (block ? `<p>${escapeHtml(text)}</p>\n` : escapeHtml(text)),
      table({ header, rows }) {
        const cellOf = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens)
        return writeTable({
          header: header.map((cell) => ({ html: cellOf(cell), label: wordsOf(cell.tokens) })),
          rows: rows.map((row) => row.map(cellOf)),
        })
      },
    },
  })
  return {
    title: ids.get(first)?.text ?? '',
    lead: wordsOf(body.filter(({ type }) => type === 'paragraph').slice(0, 1)).trim(),
    html: marked.parser(body),
    headings,
    sections: cutIntoSections(written, ids),
  }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** The words of readers for what is below a heading; undefined for anything else. */
function readAlso(token: Token): string | undefined {
  if (token.type !== 'html') return undefined
  return /^<!-- also: (?<words>.+) -->\s*$/s.exec(token.raw)?.groups?.['words']?.replaceAll(/\s+/g, ' ')
}

function cutIntoSections(
  written: readonly Token[],
  ids: ReadonlyMap<Tokens.Heading, DocHeading>,
): WrittenPage['sections'] {
  const sections = [{ id: '', heading: '', also: '', text: '' }]
  for (const token of written) {
    const heading = isHeading(token) ? ids.get(token) : undefined
    const also = readAlso(token)
    if (heading !== undefined) sections.push({ id: heading.id, heading: heading.text, also: '', text: '' })
    else if (also !== undefined) sections.at(-1)!.also = also
    else sections.at(-1)!.text += ` ${wordsOf([token])}`
  }
  return sections
    .map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

/** The words of tokens, without marks. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((row) => row.map((cell) => wordsOf(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => wordsOf(item.tokens)).join(' ')
      if (token.type === 'br' || token.type === 'space') return ' '
      if ('tokens' in token && token.tokens !== undefined) return wordsOf(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
}
