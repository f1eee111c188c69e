import { IconArrowRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { builtInProjects } from '#app/features/market/built-in-projects.ts'
import { ProjectIcon } from '#app/features/market/project-icon.tsx'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import classes from './home.module.css'
import { Section } from './section.tsx'

/** Shown where the flag names nothing else that there is. */
const engines = ['paper', 'vanilla', 'bedrock-dedicated', 'flying-squid'] as const

type Tile = { project: ProjectSummary } | { engine: (typeof engines)[number] }

/** What is worth installing. The flag names which projects and engines, in its order; those that do not exist are left out. */
export function Featured({ projects }: { projects: readonly ProjectSummary[] }) {
  const { t } = useTranslation()
  const path = usePath()
  const wanted = useFlag('featured-projects')
  const names: readonly string[] = wanted.length > 0 ? wanted : builtInProjects
  const chosen = names.flatMap((slug): Tile[] => {
    const project = projects.find((one) => one.slug === slug)
    const engine = engines.find((one) => one === slug)
    return project !== undefined ? [{ project }] : engine !== undefined ? [{ engine }] : []
  })
  const shown: Tile[] = chosen.length > 0 ? chosen : engines.map((engine) => ({ engine }))
  return (
    <Section title={t('home.featured.title')} text={t('home.featured.text')}>
      <ul className={classes['tiles']}>
        {shown.map((one) =>
          'project' in one ? (
            <li key={one.project.id}>
              <ProjectIcon project={one.project} size={44} />
              <h3>{one.project.name}</h3>
              <p>{one.project.short_description}</p>
              <Link to={path(`/m/${one.project.slug}`)}>
                {t('home.featured.see', { name: one.project.name })} <IconArrowRight size={15} aria-hidden="true" />
              </Link>
            </li>
          ) : (
            <li key={one.engine}>
              <h3>{engineName(one.engine)}</h3>
              <p>{t(`create.engineHints.${one.engine}`)}</p>
              <Link to={path(`/offers/create?engine=${one.engine}`)}>
                {t('home.featured.create', { name: engineName(one.engine) })}{' '}
                <IconArrowRight size={15} aria-hidden="true" />
              </Link>
            </li>
          ),
        )}
      </ul>
      <p className={classes['toMarket']}>
        <LinkButton to={path('/m')}>{t('home.featured.market')}</LinkButton>
      </p>
    </Section>
  )
}
