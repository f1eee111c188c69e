import { useId } from 'react'
import { Form, useSearchParams } from 'react-router'
import { IconRefresh, IconSearch } from '@tabler/icons-react'
import { type PackageHit, packageKinds, packageSources } from '@wakestone/contract/servers/package-search'
import { PackageCard } from '#app/features/packages/package-card.tsx'
import { useKindName } from '#app/features/packages/use-kind-name.ts'
import { type PackageSearch, usePackageSearch } from '#app/features/packages/use-package-search.ts'
import { FoldedFilters } from '#app/features/market/folded-filters.tsx'
import filterClasses from '#app/features/market/market-filters.module.css'
import { engineName, gameOrEngineVersion } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readPage, withChanges } from '#app/ui/table-address.ts'
import { type FindFilters, isFiltered, readFindFilters } from './find-filters.ts'
import classes from './packages.module.css'
import { PackFile } from './pack-file.tsx'
import { usePackages } from './use-packages.ts'

const pageSize = 20

/** Packages of all sources as they are found: those first that fit the server as it is. */
export function Find() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const { server } = usePackages()
  const filters = readFindFilters(search)
  const page = readPage(search)
  const language = useLanguage()
  const found = usePackageSearch({
    query: filters.query,
    server: server.id,
    language,
    fits: filters.onlyFits ? '1' : '0',
    ...(filters.kind !== undefined && { kinds: filters.kind }),
    ...(filters.source !== undefined && { sources: filters.source }),
    page,
    limit: pageSize,
  })
  return (
    <>
      <FindForm filters={filters} />
      <PackFile />
      {found.error === undefined ? (
        <Results found={found} onRetry={found.retry} isNarrow={isFiltered(filters) || page > 1} />
      ) : (
        <ErrorState error={found.error} onRetry={found.retry} />
      )}
      {(found.hasMore || page > 1) && (
        <nav className={classes['actions']} aria-label={t('table.pages')}>
          {page > 1 && (
            <LinkButton to={withChanges(search, { page: page === 2 ? null : String(page - 1) })} rel="prev">
              {t('packages.previousPage')}
            </LinkButton>
          )}
          {found.hasMore && (
            <LinkButton to={withChanges(search, { page: String(page + 1) })} rel="next">
              {t('packages.nextPage')}
            </LinkButton>
          )}
        </nav>
      )}
    </>
  )
}

function FindForm({ filters }: { filters: FindFilters }) {
  const { t } = useTranslation()
  const kindName = useKindName()
  const { identity } = usePackages()
  const fitsId = useId()
  return (
    <Form
      method="get"
      action={`/s/${identity}/m`}
      className={filterClasses['filters']}
      role="search"
      key={JSON.stringify(filters)}
    >
      <label className={filterClasses['search']}>
        <span className="visually-hidden">{t('market.search')}</span>
        <IconSearch size={18} aria-hidden="true" />
        <input
          type="search"
          name="name"
          defaultValue={filters.query}
          maxLength={100}
          placeholder={t('market.searchHint')}
        />
      </label>
      <FoldedFilters chosen={[filters.kind, filters.source]}>
        <label>
          <span>{t('market.type')}</span>
          <select name="kind" defaultValue={filters.kind ?? ''}>
            <option value="">{t('market.allTypes')}</option>
            {packageKinds.map((one) => (
              <option key={one} value={one}>
                {kindName(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('packages.source')}</span>
          <select name="source" defaultValue={filters.source ?? ''}>
            <option value="">{t('packages.allSources')}</option>
            {packageSources.map((one) => (
              <option key={one} value={one}>
                {t(`packages.sources.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <span className={classes['check']}>
          <input id={fitsId} type="checkbox" name="fits" value="1" defaultChecked={filters.onlyFits} />
          <label htmlFor={fitsId}>{t('packages.onlyFits')}</label>
        </span>
      </FoldedFilters>
      <Button type="submit" look="primary">
        {t('market.apply')}
      </Button>
    </Form>
  )
}

function Results({
  found: { hits, waiting, away, isChecking, isDone },
  onRetry,
  isNarrow,
}: {
  found: PackageSearch
  onRetry: () => void
  isNarrow: boolean
}) {
  const { t } = useTranslation()
  const { server } = usePackages()
  const { engine } = server.parameters
  const version = gameOrEngineVersion(server)
  const names = (sources: readonly (typeof packageSources)[number][]) =>
    sources.map((source) => t(`packages.sources.${source}`)).join(', ')
  const fitting = hits.filter(({ fits }) => fits !== false)
  const others = hits.filter(({ fits }) => fits === false)
  return (
    <>
      <p className={classes['muted']} role="status">
        {isDone ? t('packages.foundCount', { count: hits.length }) : t('packages.searching', { names: names(waiting) })}
      </p>
      {away.map((source) => (
        <p key={source} className={classes['muted']}>
          {t('packages.sourceAway', { name: names([source]) })}
        </p>
      ))}
      {isDone && isChecking && fitting.length === 0 && (
        <div className={classes['checking']}>
          <p>{t('packages.stillChecking', { engine: engineName(engine), version })}</p>
          <Button size="small" icon={<IconRefresh size={16} aria-hidden="true" />} onClick={onRetry}>
            {t('packages.lookAgain')}
          </Button>
        </div>
      )}
      {isDone && hits.length === 0 && !isChecking ? (
        <EmptyState
          figure="owl"
          title={t(isNarrow ? 'market.nothingTitle' : 'market.emptyTitle')}
          text={t(isNarrow ? 'market.nothingText' : 'market.emptyText')}
        />
      ) : (
        <>
          {fitting.length > 0 ? (
            <Hits title={t('packages.fits')} hits={fitting} />
          ) : (
            isDone &&
            !isChecking && (
              <p className={classes['muted']}>{t('packages.fitsNothing', { engine: engineName(engine), version })}</p>
            )
          )}
          {!isDone && hits.length === 0 && <Bones />}
          {others.length > 0 && <Hits title={t('packages.others')} hits={others} />}
        </>
      )}
    </>
  )
}

function Bones() {
  return (
    <ul className={classes['found']} aria-hidden="true">
      {[0, 1, 2, 3].map((one) => (
        <li key={one}>
          <Skeleton height={132} radius={12} />
        </li>
      ))}
    </ul>
  )
}

function Hits({ title, hits }: { title: string; hits: readonly PackageHit[] }) {
  const { identity } = usePackages()
  return (
    <section className={classes['section']}>
      <h2>{title}</h2>
      <ul className={classes['found']}>
        {hits.map((hit) => (
          <PackageCard
            key={`${hit.source} ${hit.name}`}
            hit={hit}
            to={`/s/${identity}/m/${encodeURIComponent(hit.name)}`}
          />
        ))}
      </ul>
    </section>
  )
}
