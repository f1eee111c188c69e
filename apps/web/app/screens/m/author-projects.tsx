import { data, Link } from 'react-router'
import { canCreateMarketplaceProject } from '@wakestone/contract/capabilities'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { pageUrl } from '#app/features/language/page-url.ts'
import { ProjectCard } from '#app/features/market/project-card.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import type { Route } from './+types/author-projects'
import classes from './gallery.module.css'

const id = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/

const pageSize = 40

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  if (!id.test(params.userId)) return data({ projects: [], name: null, has_more: false }, { status: 404 })
  const before = (pageUrl(request).searchParams.get('after') ?? '').split('.').filter((one) => id.test(one))
  const after = before.at(-1)
  const { projects, has_more } = await api(searchProjects, {
    query: {
      projectMember: params.userId,
      has_release: '0',
      language: chooseLanguage(request, language),
      limit: pageSize,
      ...(after !== undefined && { after }),
    },
  })
  return data({ projects, name: publicNameOf(projects), has_more })
}

/** The public name of the author, if all these projects have the same one. */
function publicNameOf(projects: readonly ProjectSummary[]): string | null {
  const [name, ...others] = new Set(projects.map(({ author_info }) => author_info.author_name))
  return others.length > 0 || name === undefined || name === '' ? null : name
}

/** Not every account may publish. */
function AskToPublish() {
  const { t } = useTranslation()
  const path = usePath()
  const ask = new URLSearchParams({ topic: 'offer', subject: t('market.askSubject') })
  return (
    <p>
      {t('market.onRequest')} <Link to={path(`/account/support/new?${ask}`)}>{t('market.ask')}</Link>
    </p>
  )
}

/** `/{lang}/m/{userId}/projects`: what somebody works on; its members see what is not public too. */
export default function AuthorProjects({
  loaderData: { projects, name, has_more: hasMore },
  params,
}: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const isOwn = user?.id === params.userId
  const canCreate = isOwn && canCreateMarketplaceProject(user.user_capabilities)
  const title = isOwn
    ? t('market.ownProjects')
    : name === null
      ? t('market.authorProjects')
      : t('market.authorTitle', { name })
  return (
    <div className={classes['page']}>
      <PageMeta page="authorProjects" title={title} />
      {projects.length > 0 && (
        <link
          rel="alternate"
          type="application/rss+xml"
          title={title}
          href={`/api/v1/marketplace/authors/${params.userId}/releases.rss`}
        />
      )}
      <header className={classes['head']}>
        <h1>{title}</h1>
        {canCreate && <LinkButton to={path('/m/projects/create')}>{t('market.create')}</LinkButton>}
      </header>
      {isOwn && !canCreate && <AskToPublish />}
      {projects.length === 0 ? (
        <EmptyState title={t('market.noProjectsTitle')} text={t('market.noProjectsText')} />
      ) : (
        <ul className={classes['list']}>
          {projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      <KeysetPager
        next={hasMore ? projects.at(-1)?.id : undefined}
        shown={projects.length}
        size={pageSize}
        count={undefined}
        isAtLeast={hasMore}
      />
    </div>
  )
}
