import { IconDownload, IconFile, IconFolder, IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Backup, BackupEntry } from '@wakestone/contract/servers/backups'
import { listBackupFiles } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { useTableSelection } from '#app/ui/table-selection.tsx'
import classes from './backups.module.css'
import { contentAddress } from './content-address.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { useBackups } from './use-backups.ts'

const icons = { file: IconFile, folder: IconFolder, link: IconLink, other: IconFile }
const mostChosen = 100

/** The files of a backup, folder by folder; the folder stands in the address. */
export function BackupFiles({ backup }: { backup: Backup }) {
  const [query] = useSearchParams()
  const path = query.get('path') ?? ''
  return <Folder key={path} backup={backup} path={path} />
}

function Folder({ backup, path }: { backup: Backup; path: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, identity, whyNotNow, whyNoChange } = useBackups()
  const { data, error, refetch } = useQuery(
    queryOf(
      listBackupFiles,
      { params: { id: server.id, snapshotId: backup.id }, query: { path } },
      { staleTime: Infinity },
    ),
  )
  const entries = data?.entries
  const { selected, toggle, setAll } = useTableSelection(entries?.map(({ name }) => name) ?? [])
  const [taken, setTaken] = useState<string[] | null>(null)
  const pathOf = (name: string) => (path === '' ? name : `${path}/${name}`)
  const addressOf = (folder: string) =>
    `/s/${identity}/backups/${backup.id}${folder === '' ? '' : `?path=${encodeURIComponent(folder)}`}`
  const columns: Column<BackupEntry>[] = [
    {
      key: 'name',
      header: t('backups.fileName'),
      phone: 'title',
      cell: ({ name, type }) => {
        const Icon = icons[type]
        return (
          <span className={classes['entry']}>
            <Icon size={18} aria-hidden />
            {type === 'folder' ? <Link to={addressOf(pathOf(name))}>{name}</Link> : <span>{name}</span>}
          </span>
        )
      },
    },
    {
      key: 'size',
      header: t('backups.size'),
      align: 'end',
      cell: ({ type, size }) => (type === 'file' ? format.bytes(size) : ''),
    },
    {
      key: 'changed',
      header: t('backups.fileChanged'),
      phone: 'hidden',
      cell: ({ modified_at }) => (modified_at === null ? '–' : format.dateTime(modified_at)),
    },
    {
      key: 'actions',
      header: t('backups.actions'),
      phone: 'buttons',
      align: 'end',
      cell: ({ name, type }) =>
        whyNoChange === undefined && (type === 'file' || type === 'folder') ? (
          <LinkButton
            size="small"
            look="quiet"
            icon={<IconDownload />}
            to={contentAddress(server.id, backup.id, pathOf(name))}
            aria-label={t('backups.downloadOne', { name })}
            reload
          >
            {t('backups.download')}
          </LinkButton>
        ) : (
          ''
        ),
    },
  ]
  const crumbs = path === '' ? [] : path.split('/')
  const whyNot = whyNotNow ?? (selected.size > mostChosen ? t('backups.tooMany', { count: mostChosen }) : undefined)
  return (
    <>
      <nav aria-label={t('backups.folders')}>
        <ol className={classes['crumbs']}>
          <li>
            <Link to={addressOf('')} aria-current={path === '' ? 'page' : undefined}>
              {t('backups.allFiles')}
            </Link>
          </li>
          {crumbs.map((name, index) => (
            <li key={crumbs.slice(0, index + 1).join('/')}>
              <Link
                to={addressOf(crumbs.slice(0, index + 1).join('/'))}
                aria-current={index === crumbs.length - 1 ? 'page' : undefined}
              >
                {name}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <DataTable
        label={t('backups.files')}
        columns={columns}
        rows={entries}
        rowKey={({ name }) => name}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className={classes['muted']}>{t('backups.emptyFolder')}</p>}
        selection={{
          selected,
          toggle,
          setAll,
          nameOf: ({ name }) => name,
          actions: (
            <Button size="small" look="primary" why={whyNot} onClick={() => setTaken([...selected].map(pathOf))}>
              {t('backups.take')}
            </Button>
          ),
        }}
      />
      {data?.truncated === true && <p className={classes['muted']}>{t('backups.filesTruncated')}</p>}
      {taken !== null && <RestoreDialog backup={backup} paths={taken} onClose={() => setTaken(null)} />}
    </>
  )
}
