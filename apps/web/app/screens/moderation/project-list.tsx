import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { ModeratedProject } from '@wakestone/contract/marketplace/project'
import { type ModeratedStatus, moderatedStatuses } from '@wakestone/contract/marketplace/values'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { RowName } from '#app/features/admin/row-name.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import classes from './moderation.module.css'
import { projectsQuery, readProjectFilters } from './moderation-queries.ts'

const looks = {
  public: { colour: 'moss', shape: 'filled' },
  unreleased: { colour: 'muted', shape: 'ring' },
  unlisted: { colour: 'muted', shape: 'ring' },
  private: { colour: 'muted', shape: 'square' },
  archived: { colour: 'muted', shape: 'square' },
  taken_down: { colour: 'ember', shape: 'triangle' },
} as const satisfies Record<ModeratedStatus, Omit<Parameters<typeof Badge>[0], 'children'>>

/** All projects, whether anybody sees them or not; a name leads to what can be done with it. */
export function ProjectList() {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const [search] = useSearchParams()
  const list = useQuery(projectsQuery(readProjectFilters(search), useAfter()))
  const columns: Column<ModeratedProject>[] = [
    {
      key: 'name',
      header: t('moderation.project'),
      phone: 'title',
      cell: ({ slug, name, waiting }) => (
        <RowName
          to={`?list=projects&slug=${slug}`}
          name={name}
          address={<Link to={path(`/m/${slug}`)}>{`/m/${slug}`}</Link>}
          badges={
            waiting > 0 && (
              <Badge size="small" colour="lantern" shape="pulse">
                {t('moderation.waits', { count: waiting })}
              </Badge>
            )
          }
        />
      ),
    },
    {
      key: 'author',
      header: t('market.author'),
      cell: ({ author_info: { author_name: author }, owner }) => (
        <span className={classes['stack']}>
          {author === '' ? t('market.unnamed') : author}
          {owner !== null && (
            <Link className={classes['muted']} to={path(`/user/${owner.id}`)}>
              {owner.username}
            </Link>
          )}
        </span>
      ),
    },
    {
      key: 'status',
      header: t('wallet.status'),
      cell: ({ status }) => (
        <Badge size="small" {...looks[status]}>
          {t(`moderation.statuses.${status}`)}
        </Badge>
      ),
    },
    {
      key: 'release',
      header: t('moderation.lastVersion'),
      cell: ({ latest_release: release }) =>
        release === null ? (
          '–'
        ) : (
          <span className={classes['stack']}>
            {release.version}
            <span className={classes['muted']}>
              <DateTime value={release.created_at} dateOnly />
            </span>
          </span>
        ),
    },
    {
      key: 'downloads',
      header: t('market.downloads'),
      align: 'end',
      cell: ({ downloads }) => format.number(downloads),
    },
  ]
  return (
    <>
      <TableFilters names={['q', 'status']}>
        <SearchFilter label={t('moderation.searchProjects')} />
        <SelectFilter
          name="status"
          label={t('wallet.status')}
          options={[
            { value: '', label: t('moderation.anyStatus') },
            ...moderatedStatuses.map((value) => ({ value, label: t(`moderation.statuses.${value}`) })),
          ]}
        />
      </TableFilters>
      <Card padded={false}>
        <KeysetTable
          query={list}
          size={adminPageSize}
          label={t('moderation.lists.projects')}
          columns={columns}
          rowKey={({ id }) => id}
          skeletonRows={8}
          empty={<EmptyState figure="none" title={t('moderation.noProjects')} text={t('moderation.noProjectsText')} />}
        />
      </Card>
    </>
  )
}
