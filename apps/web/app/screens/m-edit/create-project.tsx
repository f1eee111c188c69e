import { useNavigate } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { SecondStepNotice } from '#app/features/market/second-step-notice.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/create-project'
import classes from './edit.module.css'
import { ProjectForm } from './project-form.tsx'

export function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'marketplace.project-create')
  return null
}

/** `/{lang}/m/projects/create` */
export default function CreateProject() {
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
      <ProjectForm language={useLanguage()} onSaved={({ slug }) => void navigate(path(`/m/${slug}`))} />
    </>
  )
}
