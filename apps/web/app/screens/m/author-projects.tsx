import { data } from 'react-router'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { ProjectCard } from '#app/features/market/project-card.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Route } from './+types/author-projects'
import classes from './gallery.module.css'

const id = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  if (!id.test(params.userId)) return data({ projects: [] }, { status: 404 })
  const { projects } = await api(searchProjects, {
    query: { projectMember: params.userId, has_release: '0', language: chooseLanguage(request, language) },
  })
  return data({ projects })
}

/** `/{lang}/m/{userId}/projects`: what somebody works on; its members see what is not public too. */
export default function AuthorProjects({ loaderData: { projects }, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const isOwn = useUser()?.id === params.userId
  return (
    <div className={classes['page']}>
      <PageMeta page="authorProjects" />
      <header className={classes['head']}>
        <h1>{isOwn ? t('market.ownProjects') : t('market.authorProjects')}</h1>
        {isOwn && <LinkButton to={path('/m/projects/create')}>{t('market.create')}</LinkButton>}
      </header>
      {projects.length === 0 ? (
        <EmptyState title={t('market.noProjectsTitle')} text={t('market.noProjectsText')} />
      ) : (
        <ul className={classes['list']}>
          {projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
    </div>
  )
}
