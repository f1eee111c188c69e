import { IconArrowLeft, IconArrowRight, IconLanguage } from '@tabler/icons-react'
import { data, Link } from 'react-router'
import { DocArticle } from '#app/features/docs/doc-article.tsx'
import { type DocLink, showDocPage } from '#app/features/docs/doc-pages.server.ts'
import { DocSearch } from '#app/features/docs/doc-search.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { WayData } from '#app/features/page-meta/structured-data.tsx'
import { Contents } from '#app/features/words/contents.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath, useSpokenLanguages } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/doc-page'
import classes from './doc-page.module.css'

export function loader({ request, params, context }: Route.LoaderArgs) {
  const shown = showDocPage(`/${params['*']}`, chooseLanguage(request, context.get(webContext).language))
  if (shown === undefined) throw data(null, { status: 404 })
  return shown
}

/** `/docs/{audience}/{page}` */
export default function DocPage({ loaderData }: Route.ComponentProps) {
  const { page, audience, chapters, previous, next, searchAddress } = loaderData
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const spoken = useSpokenLanguages()
  const isOwn = page.language === language
  const isTranslated = page.path.startsWith('/guide/')
  return (
    <div className={classes['page']}>
      <PageMeta
        page="docs"
        title={page.title}
        description={page.lead}
        // English text is found at its English address alone.
        isPublic={isOwn}
        languages={isTranslated ? spoken : ['en']}
      />
      <WayData name={page.title} />
      <div className={classes['side']} data-print="hide">
        <DocSearch address={searchAddress} audience={audience} />
        <details className={classes['folded']} key={page.path}>
          <summary>{t('docs.pages')}</summary>
          <Pages audience={audience} chapters={chapters} here={page.path} />
        </details>
        <div className={classes['beside']}>
          <Pages audience={audience} chapters={chapters} here={page.path} />
        </div>
      </div>
      <div className={classes['head']}>
        <nav className={classes['way']} aria-label={t('docs.way')}>
          <Link to={path('/docs')}>{t('docs.title')}</Link>
          <span aria-hidden="true">/</span>
          <span>{t(`docs.audiences.${audience}`)}</span>
        </nav>
        <h1 lang={page.language}>{page.title}</h1>
        {!isOwn && (
          <p className={classes['note']}>
            <IconLanguage size={18} aria-hidden="true" />
            {t('docs.englishOnly')}
          </p>
        )}
      </div>
      <div className={classes['contents']} data-print="hide">
        {page.headings.filter(({ level }) => level === 2).length > 1 && (
          <Contents key={page.path} headings={page.headings} />
        )}
      </div>
      <article className={classes['body']}>
        <DocArticle html={page.html} language={page.language} />
        <nav className={classes['neighbours']} aria-label={t('docs.neighbours')} data-print="hide">
          {previous !== undefined && <Neighbour page={previous} side="previous" />}
          {next !== undefined && <Neighbour page={next} side="next" />}
        </nav>
      </article>
    </div>
  )
}

type Around = Pick<Route.ComponentProps['loaderData'], 'audience' | 'chapters'>

function Pages({ audience, chapters, here }: Around & { here: string }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <nav className={classes['pages']} aria-label={t(`docs.audiences.${audience}`)}>
      {chapters.map(({ group, pages }) => {
        const list = (
          <ul>
            {pages.map((page) => (
              <li key={page.path}>
                <Link to={path(`/docs${page.path}`)} aria-current={page.path === here ? 'page' : undefined}>
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        )
        return group === 'decisions' ? (
          <details key={group} open={pages.some((page) => page.path === here)}>
            <summary>{t(`docs.groups.${group}`)}</summary>
            {list}
          </details>
        ) : (
          <div key={group}>
            <h2>{t(`docs.groups.${group}`)}</h2>
            {list}
          </div>
        )
      })}
    </nav>
  )
}

function Neighbour({ page, side }: { page: DocLink; side: 'previous' | 'next' }) {
  const { t } = useTranslation()
  const path = usePath()
  const Icon = side === 'previous' ? IconArrowLeft : IconArrowRight
  return (
    <Link to={path(`/docs${page.path}`)} className={classes[side]}>
      <Icon size={18} aria-hidden="true" />
      <span>
        <small>{t(`docs.${side}`)}</small>
        {page.title}
      </span>
    </Link>
  )
}
