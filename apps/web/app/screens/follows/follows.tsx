import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ApiClient } from '@wakestone/contract/client'
import type { FollowedReleases } from '@wakestone/contract/marketplace/project'
import { followedProjects, followedReleases } from '@wakestone/contract/marketplace/projects-routes'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { queryOf } from '#app/api/query-of.ts'
import { ProjectCard } from '#app/features/market/project-card.tsx'
import { ProjectIcon } from '#app/features/market/project-icon.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import type { Language } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { Prose } from '#app/ui/prose.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import type { Route } from './+types/follows'
import classes from './follows.module.css'

const pageSize = 20

const releasesQuery = (language: Language, after: string | undefined, client: ApiClient = api) =>
  queryOf(followedReleases, { query: { language, limit: pageSize, ...(after !== undefined && { after }) } }, { client })
const projectsQuery = (language: Language, client: ApiClient = api) =>
  queryOf(followedProjects, { query: { language, limit: 50 } }, { client })

export async function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client, language } = context.get(webContext)
  return { state: await prefetch(releasesQuery(language, undefined, client), projectsQuery(language, client)) }
}

/** `/{lang}/m/follows`: new releases of what somebody follows, and which projects that is. */
export default function Follows({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="follows" />
      <PageHeader title={t('market.follows.title')} text={t('market.follows.text')} />
      <div className={classes['columns']}>
        <Releases />
        <Projects />
      </div>
    </HydrationBoundary>
  )
}

function Releases() {
  const { t } = useTranslation()
  const path = usePath()
  const { data, error, refetch } = useQuery(releasesQuery(useLanguage(), useAfter()))
  if (data === undefined)
    return error === null ? (
      <Skeleton height={240} radius={12} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (data.releases.length === 0)
    return (
      <Card>
        <EmptyState
          title={t('market.follows.emptyTitle')}
          text={t('market.follows.emptyText')}
          action={<LinkButton to={path('/m')}>{t('market.title')}</LinkButton>}
        />
      </Card>
    )
  return (
    <Card padded={false}>
      <ol className={classes['releases']}>
        {data.releases.map((release) => (
          <ReleaseRow key={release.id} release={release} />
        ))}
      </ol>
      <KeysetPager
        next={data.has_more ? data.releases.at(-1)?.id : undefined}
        shown={data.releases.length}
        size={pageSize}
        count={undefined}
        isAtLeast={data.has_more}
      />
    </Card>
  )
}

function ReleaseRow({ release }: { release: FollowedReleases['releases'][number] }) {
  const { t } = useTranslation()
  const path = usePath()
  const { project, version, release_type: channel } = release
  return (
    <li>
      <ProjectIcon project={project} size={40} />
      <div>
        <h2>
          <Link to={`${path(`/m/${project.slug}`)}?tab=releases#${release.id}`}>
            {project.name} {version}
          </Link>
        </h2>
        <p className={classes['muted']}>
          <DateTime value={release.published_at} />
          {channel !== 'stable' && ` · ${t(`market.releaseTypes.${channel}`)}`}
          {` · ${release.loaders.map((one) => t(`market.loaders.${one}`)).join(', ')}`}
        </p>
        {release.html !== '' && <Prose html={release.html} small />}
      </div>
    </li>
  )
}

function Projects() {
  const { t } = useTranslation()
  const { data } = useQuery(projectsQuery(useLanguage()))
  if (data === undefined || data.projects.length === 0) return null
  return (
    <section>
      <h2 className={classes['heading']}>{t('market.follows.projects')}</h2>
      <ul className={classes['projects']}>
        {data.projects.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
    </section>
  )
}
