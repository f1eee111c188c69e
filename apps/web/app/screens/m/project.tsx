import { data, useSearchParams } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import { getProject } from '@wakestone/contract/marketplace/projects-routes'
import type { Project } from '@wakestone/contract/marketplace/project'
import { listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { listProjectReviews } from '@wakestone/contract/marketplace/reviews-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { ProjectData, WayData } from '#app/features/page-meta/structured-data.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import type { Route } from './+types/project'
import { AboutProject } from '#app/features/market/about-project.tsx'
import { ProjectFacts } from '#app/features/market/project-facts.tsx'
import { ProjectHead } from '#app/features/market/project-head.tsx'
import classes from '#app/features/market/project.module.css'
import { ReleaseList } from '#app/features/market/release-list.tsx'
import { ReviewList } from '#app/features/market/review-list.tsx'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { api, language: spoken } = context.get(webContext)
  const { slug } = params
  const language = chooseLanguage(request, spoken)
  try {
    const [project, releases, reviews] = await Promise.all([
      api(getProject, { params: { slug }, query: { language } }),
      api(listReleases, { params: { slug }, query: { limit: 20 } }),
      api(listProjectReviews, { params: { slug }, query: { limit: 20 } }),
    ])
    return data({ found: { project, releases, reviews } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return data({ found: null }, { status: 404 })
  }
}

const tabs = ['about', 'gallery', 'releases', 'reviews'] as const

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
  const { project, releases, reviews } = found
  const images = project.media.filter(({ kind }) => kind === 'image' || kind === 'video')
  const shown = tabs.filter((tab) => tab !== 'gallery' || images.length > 0)
  const tab = shown.find((one) => one === search.get('tab')) ?? 'about'
  const home = path(`/m/${project.slug}`)
  return (
    <div className={classes['page']}>
      {project.visible ? (
        <PageMeta page="project" title={project.name} description={project.short_description} isPublic />
      ) : (
        <PageMeta page="project" title={project.name} />
      )}
      <ProjectData project={project} />
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
          {tab === 'releases' && <ReleaseList project={project} releases={releases.releases} />}
          {tab === 'reviews' && <ReviewList project={project} reviews={reviews} />}
        </div>
        <ProjectFacts project={project} />
      </div>
    </div>
  )
}

function Images({ project, images }: { project: Project; images: Project['media'] }) {
  return (
    <ul className={classes['images']}>
      {images.map((one, index) => (
        <li key={one.name}>
          {one.kind === 'video' ? (
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video src={one.url} controls preload="none" />
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
