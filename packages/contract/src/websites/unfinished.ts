/** What a website begins with, and which of its blocks nobody has filled yet: they are named before they go public. */
import type { Language } from '../values.ts'
import type { Block, WebsiteContent } from './content.ts'

/** Stands in the first block of a new website, for its owner to write over. */
export const placeholders: Record<Language, string> = {
  en: 'Say in two sentences what your server is about and who it’s for.',
  pl: 'Napisz w dwóch zdaniach, czym jest Twój serwer i dla kogo.',
  de: 'Sag in zwei Sätzen, worum es auf deinem Server geht und für wen er ist.',
}
const isPlaceholder = new Set(Object.values(placeholders))

export type Unfinished = { page: number; block: Block; why: 'placeholder' | 'empty' | 'no_server' }

export function findUnfinished({ pages }: Pick<WebsiteContent, 'pages'>): Unfinished[] {
  return pages.flatMap(({ blocks }, page) =>
    blocks.flatMap((block) => {
      const why = reasonOf(block)
      return why === undefined ? [] : [{ page, block, why }]
    }),
  )
}

function reasonOf({ type, props }: Block): Unfinished['why'] | undefined {
  if ('server' in props && props.server === '') return 'no_server'
  if (wordsIn(props).some((text) => isPlaceholder.has(text))) return 'placeholder'
  return isEmpty({ type, props } as Block) ? 'empty' : undefined
}

/** Whether there is nothing in it but its heading. */
function isEmpty({ type, props }: Block): boolean {
  switch (type) {
    case 'hero':
      return wordsIn([props.title, props.text]).length === 0 && props.image === ''
    case 'text':
      return wordsIn(props.body).length === 0
    case 'news':
      return props.items.length === 0
    case 'rules':
      return props.items.length === 0 && wordsIn(props.intro).length === 0
    case 'votes':
      return props.links.length === 0
    case 'team':
      return props.members.length === 0
    case 'gallery':
      return props.images.every(({ image }) => image === '')
    case 'footer':
      return wordsIn(props.text).length === 0 && props.links.length === 0
    case 'shop':
    case 'status':
    case 'players':
    case 'map':
      return false
  }
}

/** Every text that is not blank, however deep. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : []
}
