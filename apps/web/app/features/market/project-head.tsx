import { IconDownload, IconHeart, IconHeartFilled, IconPencil, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { followProject, unfollowProject } from '@wakestone/contract/marketplace/projects-routes'
import { roleHasRight } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { authorLine } from './author-line.ts'
import { ReportButton } from './report-button.tsx'
import { Verified } from './project-card.tsx'
import { ProjectIcon } from './project-icon.tsx'
import { Short } from './short.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { InstallButton } from './install-button.tsx'
import classes from './project.module.css'

/** Name, author and what can be done. */
export function ProjectHead({ project }: { project: Project }) {
  const { t } = useTranslation()
  const path = usePath()
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
        {role !== null && roleHasRight(role, 'release') && (
          <LinkButton to={path(`/m/${slug}/releases/new`)} icon={<IconUpload size={16} aria-hidden="true" />}>
            {t('market.newRelease')}
          </LinkButton>
        )}
        {role !== null && roleHasRight(role, 'edit') && (
          <LinkButton to={path(`/m/projects/edit/${slug}`)} icon={<IconPencil size={16} aria-hidden="true" />}>
            {t('market.edit')}
          </LinkButton>
        )}
        {project.latest_release !== null && <InstallButton project={project} />}
        {role === null && <Follow project={project} />}
        {role === null && <ReportButton slug={slug} name={project.name} />}
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

function Follow({ project }: { project: Project }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const revalidator = useRevalidator()
  const [busy, setBusy] = useState(false)
  const { slug, is_followed: follows } = project
  const icon = follows ? <IconHeartFilled size={16} aria-hidden="true" /> : <IconHeart size={16} aria-hidden="true" />
  if (user === null)
    return (
      <LinkButton to={path(`/login?from=${encodeURIComponent(path(`/m/${slug}`))}`)} icon={icon}>
        {t('market.follow')}
      </LinkButton>
    )
  const change = async () => {
    setBusy(true)
    try {
      await api(follows ? unfollowProject : followProject, { params: { slug } })
      await revalidator.revalidate()
    } catch (error) {
      showErrorToast(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={icon} loading={busy} aria-pressed={follows} onClick={() => void change()}>
      {follows ? t('market.following') : t('market.follow')}
    </Button>
  )
}
