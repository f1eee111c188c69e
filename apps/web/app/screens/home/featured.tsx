import { IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { usePath } from '#app/i18n/use-format.ts'
import classes from './home.module.css'
import { Section } from './section.tsx'

/** What can be installed today. */
const engines = ['paper', 'vanilla', 'bedrock-dedicated', 'flying-squid'] as const

/** What is worth installing. The flag names which, and in which order; those that do not exist are left out. */
export function Featured() {
  const { t } = useTranslation()
  const path = usePath()
  const wanted = useFlag('featured-projects')
  const chosen = wanted.flatMap((slug) => engines.filter((engine) => engine === slug))
  return (
    <Section title={t('home.featured.title')} text={t('home.featured.text')}>
      <ul className={classes['tiles']}>
        {(chosen.length > 0 ? chosen : engines).map((engine) => (
          <li key={engine}>
            <h3>{engineName(engine)}</h3>
            <p>{t(`create.engineHints.${engine}`)}</p>
            <Link to={path(`/offers/create?engine=${engine}`)}>
              {t('home.featured.create', { name: engineName(engine) })} <IconArrowRight size={15} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
