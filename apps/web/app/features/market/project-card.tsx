import { IconDownload, IconHeart, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import { authorLine } from './author-line.ts'
import { Short } from './short.tsx'
import classes from './market.module.css'
import { ProjectIcon } from './project-icon.tsx'

/** A project in a list: what it is, for whom, and how many use it. */
export function ProjectCard({
  project,
  to,
  note,
}: {
  project: ProjectSummary
  /** Its page, where that is not the public one. */
  to?: string
  /** What is said of it where it is listed, such as that it is installed. */
  note?: string | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { latest_release: release } = project
  return (
    <li className={classes['card']}>
      <ProjectIcon project={project} size={56} />
      <div className={classes['words']}>
        <h2>
          <Link to={to ?? path(`/m/${project.slug}`)}>{project.name}</Link>
          {project.verified_at !== null && <Verified />}
        </h2>
        <p className={classes['by']}>
          {`${t(`market.types.${project.project_type}`)} · ${authorLine(t, project.author_info.author_name)}`}
        </p>
        <p className={classes['short']}>
          <Short text={project.short_description} />
        </p>
        <ul className={classes['tags']}>
          {note !== undefined && <li data-tone="good">{note}</li>}
          {project.labels.includes('sample') && <li>{t('market.sample')}</li>}
          {release?.loaders.map((loader) => (
            <li key={loader}>{t(`market.loaders.${loader}`)}</li>
          ))}
          {release?.game_versions.slice(-1).map((version) => (
            <li key={version}>{version}</li>
          ))}
          {!project.visible && <li data-tone="muted">{t('market.notShown')}</li>}
          {project.archived_at !== null && <li data-tone="muted">{t('market.archived')}</li>}
        </ul>
      </div>
      <dl className={classes['figures']}>
        <div>
          <dt>
            <IconDownload size={15} aria-hidden="true" />
            <span className="visually-hidden">{t('market.downloads')}</span>
          </dt>
          <dd>{format.number(project.downloads)}</dd>
        </div>
        <div>
          <dt>
            <IconHeart size={15} aria-hidden="true" />
            <span className="visually-hidden">{t('market.followers')}</span>
          </dt>
          <dd>{format.number(project.follows)}</dd>
        </div>
        <div className={classes['when']}>
          <dt className="visually-hidden">{t('market.updated')}</dt>
          <dd>
            <DateTime value={release?.created_at ?? project.updated_at} dateOnly />
          </dd>
        </div>
      </dl>
    </li>
  )
}

export function Verified() {
  const { t } = useTranslation()
  return (
    <span className={classes['verified']} title={t('market.verified')}>
      <IconRosetteDiscountCheck size={17} aria-hidden="true" />
      <span className="visually-hidden">{t('market.verified')}</span>
    </span>
  )
}
