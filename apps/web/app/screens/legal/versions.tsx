import type { LegalDocument } from '@wakestone/contract/site/document'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { formatDate } from '#app/i18n/format.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import classes from './legal.module.css'

/** Every version of the document that is kept, where there is more than one. */
export function Versions({ document }: { document: LegalDocument }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  if (document.versions.length < 2) return null
  return (
    <section className={classes['versions']} data-print="hide">
      <h2>{t('legal.versions')}</h2>
      <ul>
        {document.versions.map(({ version, date }) => {
          const isCurrent = version === document.current_version
          const name = t('legal.version', { version })
          return (
            <li key={version}>
              {version === document.version ? (
                <strong aria-current="page">{name}</strong>
              ) : (
                <Link to={path(`/${document.slug}${isCurrent ? '' : `?version=${encodeURIComponent(version)}`}`)}>
                  {name}
                </Link>
              )}
              <span>{formatDate(date, language, 'UTC')}</span>
              {isCurrent && <span className={classes['current']}>{t('legal.inForce')}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
