import { IconCode, IconDeviceGamepad2, IconServerCog } from '@tabler/icons-react'
import { Link } from 'react-router'
import { showDocsHome } from '#app/features/docs/doc-pages.server.ts'
import { DocSearch } from '#app/features/docs/doc-search.tsx'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { WayData } from '#app/features/page-meta/structured-data.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/docs-home'
import classes from './docs-home.module.css'

const icons = { guide: IconDeviceGamepad2, operators: IconServerCog, developers: IconCode }

export function loader({ request, context }: Route.LoaderArgs) {
  return showDocsHome(chooseLanguage(request, context.get(webContext).language))
}

/** `/docs`: what there is to read, for whom. */
export default function DocsHome({ loaderData: { audiences, searchAddress } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const show = (shown: Shown) => <Audience key={shown.audience} {...shown} />
  return (
    <div className={classes['page']}>
      <PageMeta page="docs" isPublic />
      <WayData name={t('pages.docs.title')} />
      <div className={classes['head']}>
        <h1>{t('docs.title')}</h1>
        <p>{t('docs.text')}</p>
        <DocSearch address={searchAddress} isInPlace />
      </div>
      {audiences.filter(isGuide).map(show)}
      {/* Whoever rents a server or plays on one has no use for them. */}
      <details className={classes['others']}>
        <summary>{t('docs.others')}</summary>
        {audiences.filter((one) => !isGuide(one)).map(show)}
      </details>
    </div>
  )
}

type Shown = Route.ComponentProps['loaderData']['audiences'][number]

const isGuide = ({ audience }: Shown) => audience === 'guide'

/** What there is for one kind of reader. */
function Audience({ audience, chapters, isForeign }: Shown) {
  const { t } = useTranslation()
  const path = usePath()
  const Icon = icons[audience]
  return (
    <section className={classes['audience']} aria-labelledby={`for-${audience}`}>
      <div className={classes['for']}>
        <Icon size={26} stroke={1.6} aria-hidden="true" />
        <h2 id={`for-${audience}`}>{t(`docs.audiences.${audience}`)}</h2>
        <p>{t(`docs.audienceTexts.${audience}`)}</p>
        {isForeign && <p>{t('docs.englishPages')}</p>}
      </div>
      <div className={classes['chapters']}>
        {chapters.map(({ group, pages }) => {
          const list = (
            <ul>
              {pages.map((page) => (
                <li key={page.path}>
                  <Link to={path(`/docs${page.path}`)} {...(isForeign ? { lang: 'en' } : {})}>
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          )
          // Read where something refers to them.
          return group === 'decisions' ? (
            <details key={group} className={classes['chapter']} data-long>
              <summary>{t(`docs.groups.${group}`)}</summary>
              {list}
            </details>
          ) : (
            <div key={group} className={classes['chapter']}>
              <h3>{t(`docs.groups.${group}`)}</h3>
              {list}
            </div>
          )
        })}
      </div>
    </section>
  )
}
