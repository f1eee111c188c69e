import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconArrowBackUp, IconArrowLeft, IconDownload } from '@tabler/icons-react'
import type { TrashEntry } from '@wakestone/contract/servers/files'
import { createFileTicket, restoreTrash } from '@wakestone/contract/servers/files-routes'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useTableSelection } from '#app/ui/table-selection.tsx'
import { ConflictDialog } from './dialogs/conflict-dialog.tsx'
import type { FileEntry } from './file-entry.ts'
import { FileIcon } from './file-icon.tsx'
import { folderQuery } from './files-queries.ts'
import { folderOf, joinPath, nameOf } from './paths.ts'
import classes from './trash.module.css'

/** A table holds no more: the rest is found by its name. */
const mostShown = 200

/** A deleted folder, looked into: what is wanted of it goes back to its place, the rest stays in the trash. */
export function TrashFolder({ serverId, entry }: { serverId: string; entry: TrashEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const inner = search.get('path') ?? ''
  const folder = joinPath(`.trash/${entry.id}/content`, inner).replace(/\/$/, '')
  const { data, error, refetch } = useQuery(folderQuery(serverId, folder, true))
  const [filter, setFilter] = useState('')
  const [conflict, setConflict] = useState<string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const wanted = filter.trim().toLowerCase()
  const found = (data?.entries ?? [])
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.type === 'folder') - Number(a.type === 'folder') || a.name.localeCompare(b.name))
  const shown = found.slice(0, mostShown)
  const selection = useTableSelection(shown.map(({ name }) => name))
  const params = { id: serverId }
  const addressOf = (path: string) =>
    `?in=${encodeURIComponent(entry.id)}${path === '' ? '' : `&path=${encodeURIComponent(path)}`}`
  const above = inner === '' ? '?' : addressOf(folderOf(inner))

  const restore = async (paths: string[], overwrite: 'fail' | 'replace' | 'keep-both' = 'fail') => {
    setBusy(true)
    setFailure(undefined)
    const taken: string[] = []
    try {
      // One by one: what is in the way of one is not in the way of the others.
      for (const path of paths) {
        try {
          await api(restoreTrash, { params, body: { ids: [entry.id], within: [path], overwrite } })
        } catch (refusal) {
          if (errorBodyOf(refusal)?.error !== 'resource_already_exists') throw refusal
          taken.push(path)
        }
      }
    } catch (refusal) {
      setFailure(refusal)
    } finally {
      setBusy(false)
      await filesChanged(queries, serverId)
    }
    if (taken.length > 0) setConflict(taken)
  }
  const download = async (name: string) => {
    setFailure(undefined)
    try {
      const body = { purpose: 'read' as const, path: joinPath(folder, name) }
      const { url } = await api(createFileTicket, { params, body })
      window.location.assign(url)
    } catch (refusal) {
      setFailure(refusal)
    }
  }
  const columns: Column<FileEntry>[] = [
    {
      key: 'name',
      header: t('files.column.name'),
      phone: 'title',
      cell: ({ name, type }) => (
        <span className={classes['name']}>
          <FileIcon entry={{ name, type }} />
          {type === 'folder' ? <Link to={addressOf(joinPath(inner, name))}>{name}</Link> : <span>{name}</span>}
        </span>
      ),
    },
    {
      key: 'size',
      header: t('files.column.size'),
      align: 'end',
      cell: ({ type, size }) => (type === 'file' ? format.bytes(size) : ''),
    },
    { key: 'changed', header: t('files.column.changed'), cell: ({ mtime }) => format.dateTime(new Date(mtime)) },
    {
      key: 'actions',
      header: t('files.column.actions'),
      phone: 'buttons',
      align: 'end',
      cell: ({ name, type }) =>
        type === 'file' && (
          <Button size="small" look="quiet" icon={<IconDownload />} onClick={() => void download(name)}>
            {t('files.do.download')}
          </Button>
        ),
    },
  ]
  return (
    <>
      {failure !== undefined && <ErrorNote error={failure} />}
      <Card
        padded={false}
        title={t('files.trash.inside', { name: joinPath(nameOf(entry.path), inner).replace(/\/$/, '') })}
        beside={
          <LinkButton size="small" to={above} icon={<IconArrowLeft />}>
            {inner === '' ? t('files.trash.allDeleted') : nameOf(folderOf(inner)) || nameOf(entry.path)}
          </LinkButton>
        }
      >
        {(data?.entries.length ?? 0) > mostShown && (
          <TextInput
            className={classes['filter'] ?? ''}
            type="search"
            aria-label={t('files.filter.label')}
            placeholder={t('files.filter.short')}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        )}
        <DataTable
          label={t('files.trash.inside', { name: nameOf(entry.path) })}
          rows={data === undefined ? undefined : shown}
          columns={columns}
          rowKey={({ name }) => name}
          error={error}
          onRetry={() => void refetch()}
          empty={<EmptyState title={t('files.trash.folderEmpty')} text={t('files.trash.folderEmptyText')} />}
          selection={{
            ...selection,
            nameOf: ({ name }) => name,
            actions: (
              <Button
                size="small"
                icon={<IconArrowBackUp />}
                loading={busy}
                onClick={() => void restore([...selection.selected].map((name) => joinPath(inner, name)))}
              >
                {t('files.trash.takeOut')}
              </Button>
            ),
          }}
        />
      </Card>
      {found.length > mostShown && <p className={classes['note']}>{t('files.trash.first', { count: mostShown })}</p>}
      {conflict !== null && (
        <ConflictDialog
          names={conflict}
          onClose={() => setConflict(null)}
          onDecide={(choice) => {
            if (choice !== 'skip') void restore(conflict, choice)
          }}
        />
      )}
    </>
  )
}
