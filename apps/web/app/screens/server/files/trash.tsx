import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconArrowBackUp, IconArrowLeft, IconTrashX } from '@tabler/icons-react'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import type { TrashEntry } from '@wakestone/contract/servers/files'
import { removeTrash, restoreTrash } from '@wakestone/contract/servers/files-routes'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { useTableSelection } from '#app/ui/table-selection.tsx'
import { useServerPage } from '../use-server-page.ts'
import { ConflictDialog } from './dialogs/conflict-dialog.tsx'
import { FileIcon } from './file-icon.tsx'
import { trashQuery } from './files-queries.ts'
import { folderOf, nameOf } from './paths.ts'
import { TrashFolder } from './trash-folder.tsx'
import classes from './trash.module.css'

const none: TrashEntry[] = []

/** `/s/{identity}/files/trash/`: what was deleted, from where, and until when it can be brought back. */
export default function Trash() {
  const { t } = useTranslation()
  const { server, identity, canManage } = useServerPage()
  return (
    <>
      <PageMeta page="serverTrash" title={`${t('files.trash.title')} · ${server.name}`} />
      <PageHeader
        title={t('files.trash.title')}
        text={canManage ? t('files.trash.text', { count: fileLimits.trashDays }) : t('server.because.capability')}
        actions={
          <LinkButton to={`/s/${identity}/files`} icon={<IconArrowLeft />}>
            {t('files.title')}
          </LinkButton>
        }
      />
      {canManage && <Content serverId={server.id} />}
    </>
  )
}

function Content({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(trashQuery(serverId))
  const entries = data?.entries ?? none
  const selection = useTableSelection(entries.map(({ id }) => id))
  const [removing, setRemoving] = useState<'some' | 'all' | null>(null)
  const [conflict, setConflict] = useState<TrashEntry[] | null>(null)
  /** The row that is brought back; `true`: those that are chosen. */
  const [busy, setBusy] = useState<string | boolean>(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const params = { id: serverId }
  const chosen = entries.filter(({ id }) => selection.selected.has(id))

  const restore = async (
    some: readonly TrashEntry[],
    overwrite: 'fail' | 'replace' | 'keep-both' = 'fail',
    row: string | true = true,
  ) => {
    setBusy(row)
    setFailure(undefined)
    const taken: TrashEntry[] = []
    try {
      // One by one: what is in the way of one is not in the way of the others.
      for (const entry of some) {
        try {
          await api(restoreTrash, { params, body: { ids: [entry.id], overwrite } })
        } catch (refusal) {
          if (errorBodyOf(refusal)?.error !== 'resource_already_exists') throw refusal
          taken.push(entry)
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
  const columns: Column<TrashEntry>[] = [
    {
      key: 'name',
      header: t('files.column.name'),
      phone: 'title',
      cell: ({ id, path, type }) => (
        <span className={classes['name']}>
          <FileIcon entry={{ name: path, type }} />
          {type === 'folder' ? (
            <Link to={`?in=${encodeURIComponent(id)}`} aria-label={t('files.trash.openFolder', { name: nameOf(path) })}>
              {nameOf(path)}
            </Link>
          ) : (
            <span>{nameOf(path)}</span>
          )}
        </span>
      ),
    },
    {
      key: 'from',
      header: t('files.trash.from'),
      cell: ({ path }) =>
        folderOf(path) === '' ? <span className={classes['top']}>{t('files.top')}</span> : folderOf(path),
    },
    {
      key: 'size',
      header: t('files.column.size'),
      align: 'end',
      cell: ({ size }) => (size === null ? '' : format.bytes(size)),
    },
    { key: 'deleted', header: t('files.trash.deleted'), cell: ({ deleted_at }) => format.dateTime(deleted_at) },
    { key: 'until', header: t('files.trash.until'), cell: ({ until }) => format.dateTime(until) },
    {
      key: 'actions',
      header: t('files.column.actions'),
      phone: 'buttons',
      align: 'end',
      cell: (entry) => (
        <Button
          size="small"
          aria-label={t('files.trash.restoreOne', { name: nameOf(entry.path) })}
          loading={busy === entry.id}
          onClick={() => void restore([entry], 'fail', entry.id)}
        >
          {t('files.trash.restore')}
        </Button>
      ),
    },
  ]
  const inside = entries.find(({ id, type }) => type === 'folder' && id === search.get('in'))
  if (inside !== undefined) return <TrashFolder key={inside.id} serverId={serverId} entry={inside} />
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      {failure !== undefined && <ErrorNote error={failure} />}
      <Card
        padded={false}
        title={t('files.trash.content')}
        beside={
          entries.length > 0 && (
            <Button size="small" icon={<IconTrashX />} onClick={() => setRemoving('all')}>
              {t('files.trash.empty')}
            </Button>
          )
        }
      >
        <DataTable
          label={t('files.trash.content')}
          rows={data?.entries}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<EmptyState title={t('files.trash.none')} text={t('files.trash.noneText')} />}
          selection={{
            ...selection,
            nameOf: ({ path }) => nameOf(path),
            actions: (
              <>
                <Button
                  size="small"
                  icon={<IconArrowBackUp />}
                  loading={busy === true}
                  onClick={() => void restore(chosen)}
                >
                  {t('files.trash.restore')}
                </Button>
                <Button size="small" icon={<IconTrashX />} onClick={() => setRemoving('some')}>
                  {t('files.trash.remove')}
                </Button>
              </>
            ),
          }}
        />
      </Card>
      {data?.truncated === true && <p className={classes['note']}>{t('files.trash.truncated')}</p>}
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={
          removing === 'all' ? t('files.trash.emptyTitle') : t('files.trash.removeTitle', { count: chosen.length })
        }
        text={t('files.remove.text')}
        action={t('files.remove.confirm')}
        onConfirm={async () => {
          const ids = removing === 'all' ? null : chosen.map(({ id }) => id)
          await api(removeTrash, { params, body: { ids } })
          await filesChanged(queries, serverId)
        }}
      />
      {conflict !== null && (
        <ConflictDialog
          names={conflict.map(({ path }) => path)}
          onClose={() => setConflict(null)}
          onDecide={(choice) => {
            if (choice !== 'skip') void restore(conflict, choice)
          }}
        />
      )}
    </>
  )
}
