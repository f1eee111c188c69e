import { useTranslation } from '#app/i18n/texts.tsx'
import { localeOf } from '#app/i18n/languages.ts'
import type { TextKey } from '#app/i18n/text-types.ts'
import { useSpokenLanguages } from '#app/i18n/use-format.ts'
import { socialImagePath, socialImageSize } from './social-image.ts'

/** What only search engines and social networks read; the server writes it, and browsers never load it. */
export function SearchTags({
  page,
  name,
  description,
  origin,
  pathname,
}: {
  page: string
  name: string
  description: string
  origin: string
  pathname: string
}) {
  const { t, i18n } = useTranslation()
  const languages = useSpokenLanguages()
  const keywords = `pages.${page}.keywords`
  const image = origin + socialImagePath(i18n.language, page)
  const locale = (language: keyof typeof localeOf) => localeOf[language].replace('-', '_')
  return (
    <>
      {i18n.exists(keywords) && <meta name="keywords" content={t(keywords as TextKey)} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Wakestone" />
      <meta property="og:title" content={name} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + pathname} />
      <meta property="og:locale" content={locale(i18n.language)} />
      {languages
        .filter((other) => other !== i18n.language)
        .map((other) => (
          <meta key={other} property="og:locale:alternate" content={locale(other)} />
        ))}
      <meta property="og:image" content={image} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(socialImageSize.width)} />
      <meta property="og:image:height" content={String(socialImageSize.height)} />
      <meta property="og:image:alt" content={t('seo.imageAlt', { title: name })} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={name} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={image} />
      <meta name="twitter:image:alt" content={t('seo.imageAlt', { title: name })} />
    </>
  )
}
