import { IconSearch } from '@tabler/icons-react'
import { Form, Link, useSearchParams } from 'react-router'
import type { FacetCounts } from '@wakestone/contract/marketplace/project'
import { packageLoaders, projectSorts, projectTypes } from '@wakestone/contract/marketplace/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import type { Filters } from './filters.ts'
import { FoldedFilters } from './folded-filters.tsx'
import classes from './market-filters.module.css'

type Counts = readonly { value: string; count: number }[]

/** Category, words and order of the gallery, kept in the address: they work without scripts. */
export function MarketFilters({
  action,
  filters,
  facets,
}: {
  action: string
  filters: Filters
  /** How many there are of each choice. */
  facets?: FacetCounts | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const [search] = useSearchParams()
  const countIn = (counts: Counts, value: string) => counts.find((one) => one.value === value)?.count ?? 0
  const countOf = (counts: Counts, value: string) =>
    `${format.number(countIn(counts, value))}${facets?.is_at_least === true ? '+' : ''}`
  // What leads to nothing is left out, unless it is what was chosen.
  const types = projectTypes.filter(
    (type) => type === filters.type || facets === undefined || countIn(facets.types, type) > 0,
  )
  const ofType = (type: string | undefined) => {
    const wanted = new URLSearchParams(search)
    wanted.delete('after')
    if (type === undefined) wanted.delete('type')
    else wanted.set('type', type)
    return `${action}${wanted.size === 0 ? '' : `?${wanted}`}`
  }
  return (
    <>
      <nav className={classes['types']} aria-label={t('market.type')}>
        {[undefined, ...types].map((type) => (
          <Link
            key={type ?? 'all'}
            to={ofType(type)}
            aria-current={filters.type === type ? 'true' : undefined}
            preventScrollReset
          >
            {type === undefined ? t('market.allTypes') : t(`market.typesMany.${type}`)}
            {type !== undefined && facets !== undefined && (
              <span className={classes['count']}>{countOf(facets.types, type)}</span>
            )}
          </Link>
        ))}
      </nav>
      <Form method="get" action={action} className={classes['filters']} role="search" key={search.toString()}>
        {filters.type !== undefined && <input type="hidden" name="type" value={filters.type} />}
        {filters.label !== undefined && <input type="hidden" name="label" value={filters.label} />}
        <label className={classes['search']}>
          <span className="visually-hidden">{t('market.search')}</span>
          <IconSearch size={18} aria-hidden="true" />
          <input
            type="search"
            name="name"
            defaultValue={filters.name}
            maxLength={100}
            placeholder={t('market.searchHint')}
          />
        </label>
        <FoldedFilters chosen={[filters.loader, filters.version]}>
          <label>
            <span>{t('market.loader')}</span>
            <select name="loader" defaultValue={filters.loader ?? ''}>
              <option value="">{t('market.any')}</option>
              {packageLoaders.map((one) => (
                <option key={one} value={one}>
                  {t(`market.loaders.${one}`)}
                  {facets === undefined ? '' : ` (${countOf(facets.loaders, one)})`}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>{t('market.version')}</span>
            <input name="version" defaultValue={filters.version} maxLength={32} placeholder="1.21.4" />
          </label>
          <label>
            <span>{t('market.sort')}</span>
            <select name="sort" defaultValue={filters.sort}>
              {projectSorts.map((sort) => (
                <option key={sort} value={sort}>
                  {t(`market.sorts.${sort}`)}
                </option>
              ))}
            </select>
          </label>
        </FoldedFilters>
        <Button type="submit" look="primary">
          {t('market.apply')}
        </Button>
      </Form>
    </>
  )
}
