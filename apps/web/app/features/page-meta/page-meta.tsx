import { useTranslation } from 'react-i18next'
import { useLocation, useRouteLoaderData } from 'react-router'
import type { Texts } from '#app/i18n/create-i18n.ts'
import { localeOf, pathInLanguage } from '#app/i18n/languages.ts'
import { useLanguage, useSpokenLanguages } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'

/**
 * Title and description of a screen in the page's language, its canonical address and those in other languages.
 * Rendered inside the screen; React moves it to the head. `title` replaces the page's own, such as a server's name.
 */
export function PageMeta({
  page,
  title,
  isPublic = false,
}: {
  page: keyof Texts['pages']
  title?: string
  isPublic?: boolean
}) {
  const { t } = useTranslation()
  const language = useLanguage()
  const languages = useSpokenLanguages()
  const { pathname } = useLocation()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  const name = title ?? t(`pages.${page}.title`)
  const description = t(`pages.${page}.description`)
  return (
    <>
      <title>{page === 'home' ? `Wakestone: ${name}` : `${name} · Wakestone`}</title>
      <meta name="description" content={description} />
      {isPublic ? (
        <>
          <link rel="canonical" href={origin + pathname} />
          {languages.map((other) => (
            <link key={other} rel="alternate" hrefLang={other} href={origin + pathInLanguage(pathname, other)} />
          ))}
          <link rel="alternate" hrefLang="x-default" href={origin + pathInLanguage(pathname, 'en')} />
          <meta property="og:title" content={name} />
          <meta property="og:description" content={description} />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content="Wakestone" />
          <meta property="og:url" content={origin + pathname} />
          <meta property="og:locale" content={localeOf[language].replace('-', '_')} />
        </>
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  )
}
