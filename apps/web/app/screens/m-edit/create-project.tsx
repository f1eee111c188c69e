import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { useNavigate } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { SecondStepNotice } from '#app/features/market/second-step-notice.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/create-project'
import classes from './edit.module.css'
import { ProjectForm } from './project-form.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireCapability(request, context, 'marketplace.project-create')
  const { api } = context.get(webContext)
  const { projects } = await api(searchProjects, {
    query: { projectMember: user.id, has_release: '0', sort: 'newest', limit: 10 },
  })
  const named = projects.find(({ author_info }) => author_info.author_name !== '')
  return { authorName: named?.author_info.author_name ?? '' }
}

/** `/{lang}/m/projects/create` */
export default function CreateProject({ loaderData: { authorName } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const navigate = useNavigate()
  return (
    <>
      <PageMeta page="createProject" />
      <PageHeader title={t('market.createTitle')} text={t('market.createText')} />
      <div className={classes['notice']}>
        <SecondStepNotice />
      </div>
      <ProjectForm
        language={useLanguage()}
        authorName={authorName}
        onSaved={({ slug }) => void navigate(path(`/m/${slug}`))}
      />
    </>
  )
}
