import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { ProjectSummary } from '@wakestone/contract/marketplace/project'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { queryOf } from '#app/api/query-of.ts'
import { readFilters, toQuery } from '#app/features/market/filters.ts'
import { MarketFilters } from '#app/features/market/market-filters.tsx'
import { ProjectCard } from '#app/features/market/project-card.tsx'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { loadersOf } from './loaders.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

const most = 40

/** Searches for packages: those first that fit the server as it is. */
export function Find() {
  const { t } = useTranslation()
  const language = useLanguage()
  const [search] = useSearchParams()
  const { server, identity } = usePackages()
  const filters = readFilters(search)
  const { engine, engine_version: version } = server.parameters
  const [loader] = loadersOf(engine)
  const asked = { ...toQuery(filters), language, limit: most }
  const fitting = useQuery(
    queryOf(searchProjects, {
      query: { ...asked, ...(loader !== undefined && { loader }), game_version: version },
    }),
  )
  const all = useQuery(queryOf(searchProjects, { query: asked }))
  const fits = fitting.data?.projects ?? []
  const others = (all.data?.projects ?? []).filter(({ id }) => !fits.some((one) => one.id === id))
  const error = fitting.error ?? all.error
  const isLoading = fitting.data === undefined || all.data === undefined
  return (
    <>
      <MarketFilters action={`/s/${identity}/m`} filters={filters} hasGround={false} />
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void Promise.all([fitting.refetch(), all.refetch()])} />
      ) : isLoading ? (
        <ul className={classes['found']}>
          {[0, 1, 2, 3].map((one) => (
            <li key={one}>
              <Skeleton height={132} radius={12} />
            </li>
          ))}
        </ul>
      ) : fits.length + others.length === 0 ? (
        <EmptyState figure="owl" title={t('market.nothingTitle')} text={t('market.nothingText')} />
      ) : (
        <>
          <section className={classes['section']}>
            <h2>{t('packages.fits')}</h2>
            {fits.length === 0 ? (
              <p className={classes['muted']}>{t('packages.fitsNothing', { engine: engineName(engine), version })}</p>
            ) : (
              <Cards projects={fits} />
            )}
          </section>
          {others.length > 0 && (
            <section className={classes['section']}>
              <h2>{t('packages.others')}</h2>
              <Cards projects={others} />
            </section>
          )}
        </>
      )}
    </>
  )
}

function Cards({ projects }: { projects: readonly ProjectSummary[] }) {
  const { t } = useTranslation()
  const { identity, installed } = usePackages()
  const versionOf = (name: string) =>
    installed.data?.find(({ Manifest: manifest }) => manifest['name'] === name)?.Manifest['packageVersion']
  return (
    <ul className={classes['found']}>
      {projects.map((project) => {
        const version = versionOf(project.slug)
        return (
          <ProjectCard
            key={project.id}
            project={project}
            to={`/s/${identity}/m/${project.slug}`}
            note={typeof version === 'string' ? t('packages.installedTag', { version }) : undefined}
          />
        )
      })}
    </ul>
  )
}
