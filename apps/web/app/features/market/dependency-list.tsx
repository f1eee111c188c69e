import { Link } from 'react-router'
import type { ProjectDependencies } from '@wakestone/contract/marketplace/project'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { ProjectIcon } from './project-icon.tsx'
import classes from './project.module.css'

/** What the newest release needs, and which projects need this one. */
export function DependencyList({
  dependencies: { dependencies, dependants, dependants_count: count },
}: {
  dependencies: ProjectDependencies
}) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <section className={classes['part']}>
        <h2>{t('market.deps.needs')}</h2>
        {dependencies.length === 0 ? (
          <p className={classes['muted']}>{t('market.deps.needsNothing')}</p>
        ) : (
          <ul className={classes['small']}>
            {dependencies.map(({ name, expr, kind, project }) => (
              <li key={name}>
                {project === null ? (
                  <span>{name}</span>
                ) : (
                  <>
                    <ProjectIcon project={project} size={32} />
                    <Link to={path(`/m/${project.slug}`)}>{project.name}</Link>
                  </>
                )}
                <code>{expr ?? t('market.deps.anyVersion')}</code>
                <span className={classes['tag']}>{t(`market.deps.kinds.${kind}`)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className={classes['part']}>
        <h2>{t('market.deps.neededBy')}</h2>
        {dependants.length === 0 ? (
          <p className={classes['muted']}>{t('market.deps.neededByNone')}</p>
        ) : (
          <ul className={classes['small']}>
            {dependants.map((project) => (
              <li key={project.id}>
                <ProjectIcon project={project} size={32} />
                <Link to={path(`/m/${project.slug}`)}>{project.name}</Link>
              </li>
            ))}
          </ul>
        )}
        {count > dependants.length && <p className={classes['muted']}>{t('market.deps.neededByCount', { count })}</p>}
      </section>
    </>
  )
}
