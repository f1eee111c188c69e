import { useNavigate, useRevalidator } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import type { Project } from '@wakestone/contract/marketplace/project'
import { deleteProjectMedia, getProject } from '@wakestone/contract/marketplace/projects-routes'
import { roleHasRight } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import type { Route } from './+types/edit-project'
import classes from './edit.module.css'
import { ProjectForm } from './project-form.tsx'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const project = await context
    .get(webContext)
    .api(getProject, { params: { slug: params.slug } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) return null
      throw error
    })
  return { project: project?.role != null && roleHasRight(project.role, 'edit') ? project : null }
}

/** `/{lang}/m/projects/edit/{slug}` */
export default function EditProject({ loaderData: { project } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const navigate = useNavigate()
  if (project === null)
    return (
      <>
        <PageMeta page="editProject" />
        <StatusPage figure="owl" code={404} title={t('market.missingTitle')} text={t('market.missingText')}>
          <LinkButton to={path('/m')}>{t('market.title')}</LinkButton>
        </StatusPage>
      </>
    )
  return (
    <>
      <PageMeta page="editProject" title={project.name} />
      <PageHeader
        title={t('market.editTitle', { name: project.name })}
        actions={<LinkButton to={path(`/m/${project.slug}`)}>{t('market.view')}</LinkButton>}
      />
      <Pictures project={project} />
      <ProjectForm
        key={project.updated_at}
        project={project}
        language={language}
        onSaved={({ slug }) => void navigate(path(`/m/${slug}`))}
      />
    </>
  )
}

function Pictures({ project }: { project: Project }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const pictures = project.media.filter(({ kind }) => kind !== 'video')
  if (pictures.length === 0) return null
  const remove = (name: string) =>
    void api(deleteProjectMedia, { params: { slug: project.slug, name } }).then(
      () => revalidator.revalidate(),
      (error: unknown) => showErrorToast(error),
    )
  return (
    <Card title={t('market.form.pictures')}>
      <ul className={classes['pictures']}>
        {pictures.map((one) => (
          <li key={one.name}>
            <img
              src={one.url}
              width={one.width ?? 16}
              height={one.height ?? 9}
              alt={t(`market.form.${one.kind === 'icon' ? 'icon' : 'image'}`)}
            />
            <Button size="small" look="quiet" onClick={() => remove(one.name)}>
              {t('market.form.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
