import { useTranslation } from '#app/i18n/texts.tsx'
import { useLocation, useRouteLoaderData } from 'react-router'
import type { Texts } from '#app/i18n/create-i18n.ts'
import { type Language, pathInLanguage } from '#app/i18n/languages.ts'
import { useSpokenLanguages } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { SearchTags } from './search-tags.tsx'

type Pages = Texts['pages']
/** Pages for everyone say what they are found by: `pages.{name}.keywords`. */
type PublicPage = { [Page in keyof Pages]: Pages[Page] extends { keywords: string } ? Page : never }[keyof Pages]

/**
 * Title and description of a screen in the page's language, its canonical address (without a query) and those in other
 * languages, its tags for search and social networks. Rendered inside the screen; React moves it to the head. `title`
 * replaces the page's own, such as a server's name, and so does `description`. `languages`: in which the page can be read,
 * if not in all. `isOwn`: the page is a customer’s, and not called by our name.
 */
export function PageMeta({
  page,
  title,
  description: ownDescription,
  isPublic = false,
  isOwn = false,
  languages: own,
}: { title?: string; description?: string; isOwn?: boolean; languages?: readonly Language[] } & (
  | { page: PublicPage; isPublic?: boolean }
  | { page: keyof Pages; isPublic?: false }
)) {
  const { t } = useTranslation()
  const spoken = useSpokenLanguages()
  const languages = spoken.filter((language) => own?.includes(language) ?? true)
  const { pathname } = useLocation()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  const name = title ?? t(`pages.${page}.title`)
  const description = ownDescription ?? t(`pages.${page}.description`)
  return (
    <>
      <title>{isOwn ? name : page === 'home' ? `Wakestone: ${name}` : `${name} · Wakestone`}</title>
      <meta name="description" content={description} />
      {isPublic ? (
        <>
          <link rel="canonical" href={origin + pathname} />
          {languages.map((other) => (
            <link key={other} rel="alternate" hrefLang={other} href={origin + pathInLanguage(pathname, other)} />
          ))}
          <link rel="alternate" hrefLang="x-default" href={origin + pathInLanguage(pathname, 'en')} />
          {import.meta.env.SSR && (
            <SearchTags page={page} name={name} description={description} origin={origin} pathname={pathname} />
          )}
        </>
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  )
}
