import { IconChevronLeft, IconChevronRight, IconHeart, IconPlus } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { canCreateMarketplaceProject } from '@wakestone/contract/capabilities'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { pageUrl } from '#app/features/language/page-url.ts'
import { isFiltered, readFilters, toQuery } from '#app/features/market/filters.ts'
import { MarketFilters } from '#app/features/market/market-filters.tsx'
import { ProjectCard } from '#app/features/market/project-card.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { ProjectListData, WayData } from '#app/features/page-meta/structured-data.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Route } from './+types/gallery'
import classes from './gallery.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, language: spoken } = context.get(webContext)
  const language = chooseLanguage(request, spoken)
  const filters = readFilters(pageUrl(request).searchParams)
  return { list: await api(searchProjects, { query: { ...toQuery(filters), language, facets: '1' } }) }
}

/** `/{lang}/m`: everything that can be put on a server, searched and filtered by its address. */
export default function Gallery({ loaderData: { list } }: Route.ComponentProps) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const [search] = useSearchParams()
  const filters = readFilters(search)
  const last = list.projects.at(-1)
  const { before } = filters
  const pageAfter = (ids: readonly string[]) => {
    const place = new URLSearchParams(search)
    if (ids.length === 0) place.delete('after')
    else place.set('after', ids.join('.'))
    return `${path('/m')}${place.size === 0 ? '' : `?${place}`}`
  }
  return (
    <div className={classes['page']}>
      <PageMeta page="market" isPublic />
      <ProjectListData projects={list.projects} />
      <WayData name={t('market.title')} />
      <header className={classes['head']}>
        <div>
          <h1>{t('market.title')}</h1>
          <p>{t('market.lead')}</p>
        </div>
        {user !== null && (
          <div className={classes['own']}>
            <LinkButton to={path('/m/follows')} icon={<IconHeart size={16} aria-hidden="true" />}>
              {t('market.follows.title')}
            </LinkButton>
            <LinkButton to={path(`/m/${user.id}/projects`)}>{t('market.ownProjects')}</LinkButton>
            {canCreateMarketplaceProject(user.user_capabilities) && (
              <LinkButton to={path('/m/projects/create')} icon={<IconPlus size={16} aria-hidden="true" />}>
                {t('market.create')}
              </LinkButton>
            )}
          </div>
        )}
      </header>
      <MarketFilters action={path('/m')} filters={filters} facets={list.facets} />
      {list.corrected !== null && (
        <p className={classes['note']} role="status">
          {t('market.corrected', { words: list.corrected })}
        </p>
      )}
      {list.projects.length === 0 ? (
        isFiltered(filters) || before.length > 0 ? (
          <EmptyState
            figure="owl"
            title={t('market.nothingTitle')}
            text={t('market.nothingText')}
            action={<LinkButton to={path('/m')}>{t('market.clear')}</LinkButton>}
          />
        ) : (
          <EmptyState title={t('market.emptyTitle')} text={t('market.emptyText')} />
        )
      ) : (
        <ul className={classes['list']}>
          {list.projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
      {(list.has_more || before.length > 0) && (
        <nav className={classes['more']} aria-label={t('table.pages')}>
          {before.length > 0 && (
            <LinkButton
              to={pageAfter(before.slice(0, -1))}
              rel="prev"
              icon={<IconChevronLeft size={16} aria-hidden="true" />}
            >
              {t('table.previous')}
            </LinkButton>
          )}
          {list.has_more && last !== undefined && (
            <LinkButton
              to={pageAfter([...before, last.id])}
              rel="next"
              icon={<IconChevronRight size={16} aria-hidden="true" />}
            >
              {t('market.more')}
            </LinkButton>
          )}
        </nav>
      )}
    </div>
  )
}
