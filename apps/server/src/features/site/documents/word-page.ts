/**
 * A public page of words: `##` begins a section, laid out as its class says (`{.cards}`); in every layout but plain
 * text each `###` begins one card, fact, step or question.
 */
import type { Token, Tokens } from 'marked'
import { type SectionKind, sectionKinds, type WordPage } from '@wakestone/contract/site/document'
import { createMarkdown, fillPlain, safeAddress } from './markdown.ts'
import type { Source } from './sources.ts'
import type { Words } from './words.ts'

type Section = WordPage['sections'][number]
const isKind = (kind: string | undefined): kind is SectionKind => sectionKinds.includes(kind as SectionKind)

export function layOutPage({ fields, body }: Source, words: Words): Omit<WordPage, 'slug'> {
  const markdown = createMarkdown(words)
  const sections: Section[] = []
  let waiting: Token[] = []
  const settle = () => {
    const html = markdown.render(waiting)
    const section = sections.at(-1)
    const target = section?.items.at(-1) ?? section
    if (target !== undefined) target.html += html
    waiting = []
  }
  for (const token of markdown.lex(body)) {
    const section = sections.at(-1)
    const isItem = section !== undefined && section.kind !== 'text' && isHeading(token, 3)
    if (!isHeading(token, 2) && !isItem) {
      waiting.push(token)
      continue
    }
    settle()
    const { text, id, kind, icon, isSoon } = markdown.readHeading(token)
    if (isItem) section.items.push({ title: text, icon: icon ?? null, is_soon: isSoon, html: '' })
    else {
      sections.push({
        id: markdown.claimId(id ?? text),
        title: text,
        kind: isKind(kind) ? kind : 'text',
        is_soon: isSoon,
        html: '',
        items: [],
      })
    }
  }
  settle()
  return {
    title: fillPlain(fields['title'] ?? '', words),
    lead: fillPlain(fields['lead'] ?? '', words),
    actions: [fields['action'], fields['second_action']].flatMap((field) => readLink(field, words) ?? []),
    is_soon: fields['soon'] === 'true',
    sections,
  }
}

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === 'heading' && (token as Tokens.Heading).depth === depth
}

/** `Create a server | /register` */
function readLink(field: string | undefined, { language }: Words): { label: string; to: string } | undefined {
  const [label = '', address = ''] = (field ?? '').split('|').map((part) => part.trim())
  const to = safeAddress(address, language)
  return label === '' || address === '' || to === undefined ? undefined : { label, to }
}
