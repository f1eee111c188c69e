import type { LocaleTree } from './locale-faults.ts'

/** The texts without those that only search engines read. */
export function textsForBrowser(texts: LocaleTree): LocaleTree {
  const { seo: __, ...rest } = texts
  const pages = Object.entries(texts['pages'] ?? {}).map(([page, own]) => {
    const { keywords: _, ...shown } = own as Record<string, string>
    return [page, shown] as const
  })
  return { ...rest, pages: Object.fromEntries(pages) }
}
