import { IconDownload, IconHeart, IconPackageImport } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Project } from '@wakestone/contract/marketplace/project'
import { authorLine } from './author-line.ts'
import { Verified } from './project-card.tsx'
import { ProjectIcon } from './project-icon.tsx'
import { Short } from './short.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import classes from './project.module.css'

/** Loaded for signed-in users only: the API client and its schemas are half as large as the rest of the page. */
const SignedInActions = lazy(() => import('./signed-in-actions.tsx'))

/** Name, author and what can be done. */
export function ProjectHead({ project }: { project: Project }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const { role, slug, takedown } = project
  return (
    <header className={classes['head']}>
      <ProjectIcon project={project} size={88} />
      <div className={classes['title']}>
        <h1>
          {project.name} {project.verified_at !== null && <Verified />}
        </h1>
        <p className={classes['muted']}>
          {`${t(`market.types.${project.project_type}`)} · ${authorLine(t, project.author_info.author_name)}`}
        </p>
        <p className={classes['lead']}>
          <Short text={project.short_description} />
        </p>
      </div>
      <div className={classes['actions']}>
        {project.latest_release !== null && (
          <LinkButton to={path(`/m/${slug}?tab=releases`)} icon={<IconDownload size={16} aria-hidden="true" />}>
            {t('market.download', { version: project.latest_release.version })}
          </LinkButton>
        )}
        {user === null ? (
          <VisitorActions project={project} />
        ) : (
          <Suspense>
            <SignedInActions project={project} user={user} />
          </Suspense>
        )}
      </div>
      {takedown !== null && (
        <p className={classes['warning']} role="note">
          {t('market.takenDown', { reason: takedown.reason })}
        </p>
      )}
      {takedown === null && role !== null && !project.visible && (
        <p className={classes['hint']}>{t(`market.whyNotShown.${whyHidden(project)}`)}</p>
      )}
    </header>
  )
}

const whyHidden = ({ visibility }: Project) => (visibility === 'public' ? 'release' : visibility)

/** Both links go to the login page, which returns here. */
function VisitorActions({ project: { slug, latest_release: latest } }: { project: Project }) {
  const { t } = useTranslation()
  const path = usePath()
  const login = path(`/login?from=${encodeURIComponent(path(`/m/${slug}`))}`)
  return (
    <>
      {latest !== null && (
        <LinkButton look="primary" icon={<IconPackageImport size={16} aria-hidden="true" />} to={login}>
          {t('market.install')}
        </LinkButton>
      )}
      <LinkButton icon={<IconHeart size={16} aria-hidden="true" />} to={login}>
        {t('market.follow')}
      </LinkButton>
    </>
  )
}
