import { IconInfoCircle } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import { legalSlugSchema } from '@wakestone/contract/site/document'
import { getDocument } from '@wakestone/contract/site/documents-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, redirect } from 'react-router'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { pageUrl } from '#app/features/language/page-url.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { WayData } from '#app/features/page-meta/structured-data.tsx'
import { formatDate } from '#app/i18n/format.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Prose } from '#app/ui/prose.tsx'
import type { Route } from './+types/legal'
import { Contents } from '#app/features/words/contents.tsx'
import classes from './legal.module.css'
import { legalTitles } from './legal-titles.ts'
import { Versions } from './versions.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  const url = pageUrl(request)
  const slug = legalSlugSchema.parse(url.pathname.split('/')[2])
  const version = url.searchParams.get('version') ?? undefined
  try {
    return await api(getDocument, {
      params: { slug },
      query: { language: chooseLanguage(request, language), ...(version === undefined ? {} : { version }) },
    })
  } catch (error) {
    // A version that is not kept (any more): the one in force is the next best answer.
    if (version !== undefined && error instanceof ApiError && error.status < 500) throw redirect(url.pathname)
    throw error
  }
}

/** One of the legal documents, told by the address. */
export default function Legal({ loaderData: document }: Route.ComponentProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const isCurrent = document.version === document.current_version
  const date = formatDate(document.date, language, 'UTC')
  const isAnnounced =
    document.versions.findIndex(({ version }) => version === document.version) <
    document.versions.findIndex(({ version }) => version === document.current_version)
  return (
    <div className={classes['page']}>
      <PageMeta page={document.slug} title={document.title} isPublic={isCurrent} />
      <WayData name={document.title} />
      <div className={classes['head']}>
        <p className={classes['eyebrow']}>{t('legal.eyebrow')}</p>
        <h1>{document.title}</h1>
        <p className={classes['meta']}>
          <span>{t('legal.version', { version: document.version })}</span>
          <span>
            {isAnnounced
              ? t('legal.from', { date })
              : isCurrent
                ? t('legal.since', { date })
                : t('legal.was', { date })}
          </span>
        </p>
      </div>
      <aside className={classes['aside']} data-print="hide">
        <Contents headings={document.headings} />
      </aside>
      <div className={classes['body']}>
        {!isCurrent && (
          <div className={classes['note']} data-tone="plain">
            <IconInfoCircle size={20} aria-hidden="true" />
            <p>
              {isAnnounced ? t('legal.announced', { date }) : t('legal.outdated')}{' '}
              <Link to={path(`/${document.slug}`)}>{t('legal.toCurrent')}</Link>
            </p>
          </div>
        )}
        {document.is_sample && (
          <div className={classes['note']}>
            <IconInfoCircle size={20} aria-hidden="true" />
            <p>
              <strong>{t('legal.sample')}</strong> {t('legal.sampleText')}
            </p>
          </div>
        )}
        <Prose html={document.html} />
        <Versions document={document} />
        <nav className={classes['others']} aria-label={t('legal.others')} data-print="hide">
          <h2>{t('legal.others')}</h2>
          <ul>
            {legalTitles
              .filter((slug) => slug !== document.slug)
              .map((slug) => (
                <li key={slug}>
                  <Link to={path(`/${slug}`)}>{t(`pages.${slug}.title`)}</Link>
                </li>
              ))}
          </ul>
        </nav>
      </div>
    </div>
  )
}
