import { TextInput } from '@mantine/core'
import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { Form, Link, useSearchParams } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { overviewQuery } from '#app/features/admin/server-queries.ts'
import { adminPageSize, searchQuery, shortestSearch, usersQuery } from '#app/features/admin/admin-queries.ts'
import { useUserColumns } from '#app/features/admin/user-columns.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { readAfter, useAfter } from '#app/ui/table-address.ts'
import type { Route } from './+types/admin'
import classes from './admin.module.css'
import { Overview } from './overview.tsx'
import { SearchResults } from './search-results.tsx'
import { SetupList } from './setup-list.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

const wantedIn = (search: URLSearchParams) => (search.get('q') ?? '').trim()

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  const q = wantedIn(search)
  if (q === '') return { queries: await prefetch(usersQuery({}, readAfter(search).at(-1), api), overviewQuery(api)) }
  return { queries: await prefetch(...(q.length >= shortestSearch ? [searchQuery(q, api)] : [])) }
}

/** `/{lang}/admin`: one field for whatever a customer names in a letter; without it, how things stand and who came last. */
export default function Admin({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const q = wantedIn(search)
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="admin" />
      <PageHeader title={t('admin.title')} text={t('admin.text')} />
      {q === '' && <SetupList />}
      <SearchForm key={q} q={q} />
      {q === '' && <Overview />}
      {q === '' ? <RecentUsers /> : q.length < shortestSearch ? <TooShort /> : <SearchResults q={q} />}
    </HydrationBoundary>
  )
}

function SearchForm({ q }: { q: string }) {
  const { t } = useTranslation()
  return (
    <Form role="search" className={classes['search']}>
      <TextInput
        className={classes['field'] ?? ''}
        type="search"
        name="q"
        label={t('admin.searchLabel')}
        description={t('admin.search')}
        defaultValue={q}
        minLength={shortestSearch}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
      />
      <Button type="submit" look="primary">
        {t('admin.find')}
      </Button>
    </Form>
  )
}

function TooShort() {
  const { t } = useTranslation()
  return <EmptyState figure="none" title={t('admin.shortTitle')} text={t('admin.shortText')} />
}

function RecentUsers() {
  const { t } = useTranslation()
  const path = usePath()
  const columns = useUserColumns()
  const list = useQuery(usersQuery({}, useAfter()))
  return (
    <Card
      padded={false}
      title={t('admin.recent')}
      beside={
        list.data !== undefined && (
          <Link to={path('/admin/users')}>{t('admin.userCount', { count: list.data.count })}</Link>
        )
      }
    >
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('admin.recent')}
        columns={columns}
        rowKey={(user) => user.id}
        skeletonRows={8}
        empty={<EmptyState title={t('admin.nobodyTitle')} text={t('admin.nobodyText')} />}
      />
    </Card>
  )
}
