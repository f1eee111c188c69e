import { roleHasRight } from '@wakestone/contract/marketplace/values'
import { useNavigate } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/edit-project'
import classes from './edit.module.css'
import { loadOwnProject } from './load-own-project.ts'
import { MembersCard } from './members-card.tsx'
import { WebhooksCard } from './webhooks-card.tsx'
import { NoProject } from './no-project.tsx'
import { ProjectForm } from './project-form.tsx'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  return { project: await loadOwnProject(context.get(webContext).api, params.slug, 'edit') }
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
        <NoProject />
      </>
    )
  return (
    <>
      <PageMeta page="editProject" title={project.name} />
      <PageHeader
        title={t('market.editTitle', { name: project.name })}
        actions={<LinkButton to={path(`/m/${project.slug}`)}>{t('market.view')}</LinkButton>}
      />
      <ProjectForm
        key={project.updated_at}
        project={project}
        language={language}
        onSaved={({ slug }) => void navigate(path(`/m/${slug}`))}
      />
      <div className={classes['below']}>
        <MembersCard project={project} />
        {project.role != null && roleHasRight(project.role, 'manage') && <WebhooksCard project={project} />}
      </div>
    </>
  )
}
