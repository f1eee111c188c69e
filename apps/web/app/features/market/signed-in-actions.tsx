import { IconHeart, IconHeartFilled, IconPencil, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { User } from '@wakestone/contract/accounts/user'
import type { Project } from '@wakestone/contract/marketplace/project'
import { followProject, unfollowProject } from '@wakestone/contract/marketplace/projects-routes'
import { roleHasRight } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { InstallButton } from './install-button.tsx'
import { ReportButton } from './report-button.tsx'

/** What signed-in users can do with a project. */
export default function SignedInActions({ project, user }: { project: Project; user: User }) {
  const { t } = useTranslation()
  const path = usePath()
  const { slug, name, role, latest_release: latest } = project
  return (
    <>
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
      {latest !== null && <InstallButton slug={slug} user={user} />}
      {role === null && <Follow project={project} />}
      {role === null && <ReportButton slug={slug} name={name} />}
    </>
  )
}

function Follow({ project }: { project: Project }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const [busy, setBusy] = useState(false)
  const { slug, is_followed: follows } = project
  const icon = follows ? <IconHeartFilled size={16} aria-hidden="true" /> : <IconHeart size={16} aria-hidden="true" />
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
