import { lazy, Suspense } from 'react'
import { data, Link, useSearchParams } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import type { Project } from '@wakestone/contract/marketplace/project'
import { getProject, projectDependencies } from '@wakestone/contract/marketplace/projects-routes'
import { listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { listProjectReviews } from '@wakestone/contract/marketplace/reviews-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { pageUrl } from '#app/features/language/page-url.ts'
import { AboutProject } from '#app/features/market/about-project.tsx'
import { DependencyList } from '#app/features/market/dependency-list.tsx'
import { ProjectFacts } from '#app/features/market/project-facts.tsx'
import { ProjectHead } from '#app/features/market/project-head.tsx'
import classes from '#app/features/market/project.module.css'
import { ReleaseList } from '#app/features/market/release-list.tsx'
import { ReviewList } from '#app/features/market/review-list.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { ProjectData, WayData } from '#app/features/page-meta/structured-data.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import type { Route } from './+types/project'

/** Charts weigh more than the rest of the page, and only members see them. */
const ProjectMetrics = lazy(() => import('#app/features/market/project-metrics.tsx'))

const feedAddress = (slug: string, kind: 'atom' | 'rss') => `/api/v1/marketplace/projects/${slug}/releases.${kind}`
const tabs = ['about', 'gallery', 'releases', 'dependencies', 'reviews', 'metrics'] as const
type Tab = (typeof tabs)[number]
const tabOf = (search: URLSearchParams): Tab => tabs.find((one) => one === search.get('tab')) ?? 'about'
const pageSize = 20
/** Where a page of a list begins, if the address says so in a way that the API takes. */
const placeOf = (search: URLSearchParams, pattern: RegExp) => {
  const place = search.get('from') ?? ''
  return pattern.test(place) ? place : undefined
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { api, language: spoken } = context.get(webContext)
  const { slug } = params
  const search = pageUrl(request).searchParams
  const tab = tabOf(search)
  const language = chooseLanguage(request, spoken)
  const after = tab === 'releases' ? placeOf(search, /^[0-9a-z]{13}$/) : undefined
  const before = tab === 'reviews' ? placeOf(search, /^[0-9a-f-]{36}$/) : undefined
  try {
    const [project, releases, reviews, dependencies] = await Promise.all([
      api(getProject, { params: { slug }, query: { language } }),
      tab === 'releases'
        ? api(listReleases, { params: { slug }, query: { limit: pageSize, ...(after !== undefined && { after }) } })
        : null,
      tab === 'reviews'
        ? api(listProjectReviews, {
            params: { slug },
            query: { limit: pageSize, ...(before !== undefined && { before }) },
          })
        : null,
      tab === 'dependencies' ? api(projectDependencies, { params: { slug }, query: { language } }) : null,
    ])
    return data({ found: { project, releases, reviews, dependencies } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return data({ found: null }, { status: 404 })
  }
}

/** `/{lang}/m/{slug}`: what a project is, how it looks, what there is of it and what people say. */
export default function ProjectPage({ loaderData: { found } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  if (found === null)
    return (
      <>
        <PageMeta page="project" />
        <StatusPage figure="owl" code={404} title={t('market.missingTitle')} text={t('market.missingText')}>
          <LinkButton to={path('/m')}>{t('market.title')}</LinkButton>
        </StatusPage>
      </>
    )
  const { project, releases, reviews, dependencies } = found
  const images = project.media.filter(({ kind }) => kind === 'image' || kind === 'video')
  const hidden = { gallery: images.length === 0, metrics: project.role === null }
  const shown = tabs.filter((tab) => !(tab in hidden) || !hidden[tab as keyof typeof hidden])
  const tab = shown.find((one) => one === tabOf(search)) ?? 'about'
  const home = path(`/m/${project.slug}`)
  const isLaterPage = search.has('from')
  return (
    <div className={classes['page']}>
      {project.visible ? (
        <PageMeta page="project" title={project.name} description={project.short_description} isPublic />
      ) : (
        <PageMeta page="project" title={project.name} />
      )}
      <ProjectData project={project} />
      {project.visible && (
        <>
          <link
            rel="alternate"
            type="application/atom+xml"
            title={project.name}
            href={feedAddress(project.slug, 'atom')}
          />
          <link
            rel="alternate"
            type="application/rss+xml"
            title={t('market.rssOf', { name: project.name })}
            href={feedAddress(project.slug, 'rss')}
          />
        </>
      )}
      <WayData name={project.name} />
      <ProjectHead project={project} />
      <TabLinks
        label={project.name}
        tabs={shown.map((one) => ({
          to: one === 'about' ? home : `${home}?tab=${one}`,
          label: t(`market.tabs.${one}`),
          active: one === tab,
        }))}
      />
      <div className={classes['columns']}>
        <div className={classes['main']}>
          {tab === 'about' && <AboutProject project={project} />}
          {tab === 'gallery' && <Images project={project} images={images} />}
          {tab === 'releases' && releases !== null && (
            <>
              <ReleaseList project={project} releases={releases.releases} />
              <PageLinks
                first={isLaterPage ? `${home}?tab=releases` : undefined}
                next={releases.has_more ? `${home}?tab=releases&from=${releases.releases.at(-1)?.id}` : undefined}
                texts={[t('market.newerReleases'), t('market.olderReleases')]}
              />
            </>
          )}
          {tab === 'dependencies' && dependencies !== null && <DependencyList dependencies={dependencies} />}
          {tab === 'reviews' && reviews !== null && (
            <>
              <ReviewList project={project} reviews={reviews} />
              <PageLinks
                first={isLaterPage ? `${home}?tab=reviews` : undefined}
                next={reviews.has_more ? `${home}?tab=reviews&from=${reviews.reviews.at(-1)?.id}` : undefined}
                texts={[t('market.newerReviews'), t('market.olderReviews')]}
              />
            </>
          )}
          {tab === 'metrics' && (
            <Suspense fallback={<Skeleton height={320} radius={12} />}>
              <ProjectMetrics slug={project.slug} />
            </Suspense>
          )}
        </div>
        <ProjectFacts project={project} />
      </div>
    </div>
  )
}

/** Back to the first page of a list, and on to its next one. */
function PageLinks({
  first,
  next,
  texts: [firstText, nextText],
}: {
  first: string | undefined
  next: string | undefined
  texts: readonly [string, string]
}) {
  const { t } = useTranslation()
  if (first === undefined && next === undefined) return null
  return (
    <nav className={classes['pages']} aria-label={t('table.pages')}>
      {first !== undefined && (
        <Link to={first} preventScrollReset>
          {firstText}
        </Link>
      )}
      {next !== undefined && (
        <Link to={next} rel="next" preventScrollReset>
          {nextText}
        </Link>
      )}
    </nav>
  )
}

function Images({ project, images }: { project: Project; images: Project['media'] }) {
  return (
    <ul className={classes['images']}>
      {images.map((one, index) => (
        <li key={one.name}>
          {one.kind === 'video' ? (
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video src={one.url} controls preload="none" aria-label={`${project.name} ${index + 1}`} />
          ) : (
            <a href={one.url}>
              <img
                src={one.url}
                width={one.width ?? 16}
                height={one.height ?? 9}
                alt={`${project.name} ${index + 1}`}
                loading="lazy"
              />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
