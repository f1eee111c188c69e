/**
 * Markdown to HTML that is safe to show whoever wrote it: raw HTML is escaped, links lead to web, mail and phone only,
 * pictures become their description. Beyond Markdown there are two things:
 *
 * - `{{name}}` is filled from the operator's settings; `{{soon}}` marks what does not exist yet.
 * - A heading may end with attributes: `## Cookies {#cookies}`, `## What it costs {#costs .cards}`,
 *   `### A whitelist {icon=shield soon}`. An id of one's own keeps links alive when the words change.
 */
import { escapeHtml } from '@wakestone/kit/escape-html'
import { writeTable } from '@wakestone/kit/html-table'
import { Marked, type Token, type Tokens, type TokensList } from 'marked'
import type { Language } from '@wakestone/contract/primitives'
import { slugFrom } from '@wakestone/contract/validation'
import type { Words } from './words.ts'

export type Heading = { id: string; level: number; text: string }
export type HeadingWords = {
  text: string
  id: string | undefined
  kind: string | undefined
  icon: string | undefined
  isSoon: boolean
}
export type Markdown = {
  lex(source: string): TokensList
  render(tokens: Token[]): string
  /** A heading's plain words and its attributes. */
  readHeading(token: Tokens.Heading): HeadingWords
  /** Headings rendered so far. */
  headings: Heading[]
  /** An id that no heading has yet. */
  claimId(wanted: string): string
}
type Placeholder = { type: 'placeholder'; raw: string; name: string }

/** Makes a renderer for one document. */
export function createMarkdown(words: Words): Markdown {
  const headings: Heading[] = []
  const taken = new Set(['content'])
  const marked = new Marked({ gfm: true, async: false })

  const claimId = (wanted: string) => {
    const base = slugFrom(wanted, 60) || 'section'
    let id = base
    for (let count = 2; taken.has(id); count++) id = `${base}-${count}`
    taken.add(id)
    return id
  }
  const readHeading = (token: Tokens.Heading) => readAttributes(plainText(token.tokens, words))

  marked.use({
    extensions: [
      {
        name: 'placeholder',
        level: 'inline',
        start: (source) => source.indexOf('{{'),
        tokenizer(source) {
          const match = /^\{\{\s*([a-z_]{1,40})\s*\}\}/.exec(source)
          return match === null ? undefined : { type: 'placeholder', raw: match[0], name: match[1] }
        },
        renderer: (token) => fillIn(token as unknown as Placeholder, words),
      },
    ],
    renderer: {
      heading(token) {
        const { text, id: wanted, isSoon } = readHeading(token)
        // The page's title is the first level; none is skipped on the way down.
        const level = Math.min(Math.max(token.depth, 2), (headings.at(-1)?.level ?? 1) + 1)
        const id = claimId(wanted ?? text)
        headings.push({ id, level, text })
        const tag = isSoon ? ` <small>${escapeHtml(words.soon)}</small>` : ''
        return `<h${level} id="${id}"><a href="#${id}">${escapeHtml(text)}</a>${tag}</h${level}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = safeAddress(href, words.language)
        if (address === undefined) return inner
        const rel = /^https?:/i.test(address) ? ' rel="noopener nofollow"' : ''
        return `<a href="${escapeHtml(address)}"${rel}>${inner}</a>`
      },
      image: ({ text }) => escapeHtml(text),
      codespan: ({ text }) => `<code>${escapeHtml(fillPlain(text, words))}</code>`,
      html: (token) =>
        'block' in token && token.block ? `<p>${escapeHtml(token.text)}</p>\n` : escapeHtml(token.text),
      table({ header, rows }) {
        const cellOf = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens)
        return writeTable({
          header: header.map((cell) => ({ html: cellOf(cell), label: plainText(cell.tokens, words) })),
          rows: rows.map((row) => row.map(cellOf)),
        })
      },
    },
  })
  return {
    lex: (source) => marked.lexer(source),
    render: (tokens) => marked.parser(tokens),
    readHeading,
    headings,
    claimId,
  }
}

function fillIn({ name }: Placeholder, { values, labels, soon }: Words): string {
  if (name === 'soon') return `<small>${escapeHtml(soon)}</small>`
  const value = values[name]
  if (value === undefined) return `<mark>[${escapeHtml(labels[name] ?? name)}]</mark>`
  const text = escapeHtml(value)
  if (name === 'support_email') return `<a href="mailto:${text}">${text}</a>`
  return name === 'site_url' ? `<a href="${text}">${text}</a>` : text
}

/** Text without marks, with what its `{{…}}` stand for. */
export function fillPlain(text: string, words: Words): string {
  return text.replace(/\{\{\s*([a-z_]{1,40})\s*\}\}/g, (_, name: string) => plainValue(name, words))
}

function plainValue(name: string, { values, labels }: Words): string {
  return name === 'soon' ? '' : (values[name] ?? `[${labels[name] ?? name}]`)
}

/** The words of inline tokens, without marks. */
function plainText(tokens: readonly Token[], words: Words): string {
  return tokens
    .map((token) => {
      if (token.type === 'placeholder') {
        const { name } = token as unknown as Placeholder
        return plainValue(name, words)
      }
      if (token.type === 'br') return ' '
      return 'tokens' in token && token.tokens !== undefined
        ? plainText(token.tokens, words)
        : 'text' in token
          ? String(token.text)
          : ''
    })
    .join('')
}

function readAttributes(heading: string): HeadingWords {
  const match = /\s*\{([^{}]*)\}\s*$/.exec(heading)
  const attributes = match?.[1]?.trim().split(/\s+/) ?? []
  const after = (prefix: string) =>
    attributes.find((attribute) => attribute.startsWith(prefix))?.slice(prefix.length) || undefined
  return {
    text: match === null ? heading.trim() : heading.slice(0, match.index).trim(),
    id: after('#'),
    kind: after('.'),
    icon: after('icon='),
    isSoon: attributes.includes('soon'),
  }
}

/** An address that may be followed, in the document's language where it is one of ours; undefined for every other. */
export function safeAddress(href: string, language: Language): string | undefined {
  if (href.startsWith('#')) return href
  if (/^\/(?![/\\])/.test(href)) {
    const isOutside = /^\/(?:(?:en|pl|de)(?:[/?#]|$)|api\/|s\/)/.test(href)
    return isOutside ? href : `/${language}${href === '/' ? '' : href}`
  }
  // Parsed as a browser does, which overlooks tabs and case in `java\tScript:`.
  const protocol = URL.parse(href)?.protocol
  return protocol !== undefined && ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined
}
