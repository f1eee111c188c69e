import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import type { MysqlTables } from '@wakestone/contract/servers/mysql'
import { listMysqlRows, listMysqlTables } from '@wakestone/contract/servers/mysql-routes'
import { useState } from 'react'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ImportDialog } from './import-dialog.tsx'
import classes from './mysql.module.css'
import { RowsView } from './rows-view.tsx'

type Table = MysqlTables['tables'][number]

/** What is in the database, and the ways in and out of it. */
export function TablesCard({ serverId, serverName }: { serverId: string; serverName: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<string | null>(null)
  const [imports, setImports] = useState(false)
  const [imported, setImported] = useState<string | null>(null)
  const { data, error, refetch } = useQuery(queryOf(listMysqlTables, { params: { id: serverId } }))
  const changed = () =>
    makeStale(queries, answersOf(listMysqlTables, { id: serverId }), answersOf(listMysqlRows, { id: serverId }))
  const columns: Column<Table>[] = [
    {
      key: 'name',
      header: t('mysql.table'),
      phone: 'title',
      cell: ({ name, is_view }) => (
        <span>
          <button type="button" className={classes['name']} onClick={() => setOpened(name)}>
            {name}
          </button>
          {is_view && <span className={classes['muted']}> {t('mysql.view')}</span>}
        </span>
      ),
    },
    { key: 'rows', header: t('mysql.rows'), align: 'end', cell: ({ rows }) => format.number(rows) },
    { key: 'bytes', header: t('mysql.size'), align: 'end', cell: ({ bytes }) => format.bytes(bytes) },
  ]
  return (
    <Card
      title={t('mysql.tables')}
      beside={
        data === undefined ? undefined : (
          <span>{t('mysql.used', { used: format.bytes(data.bytes), limit: format.bytes(data.limit) })}</span>
        )
      }
    >
      <div className={classes['parts']}>
        {data?.is_full === true && (
          <p role="alert" className={classes['full']}>
            {t('mysql.full')}
          </p>
        )}
        <div className={classes['buttons']}>
          <LinkButton
            icon={<IconDownload />}
            to={`/api/v1/servers/${serverId}/mysql/export`}
            reload
            download={`${serverName}.sql`}
          >
            {t('mysql.export')}
          </LinkButton>
          <Button
            icon={<IconUpload />}
            onClick={() => {
              setImported(null)
              setImports(true)
            }}
          >
            {t('mysql.import')}
          </Button>
        </div>
        <div aria-live="polite">{imported !== null && <p>{t('mysql.imported', { name: imported })}</p>}</div>
        {data === undefined && error === null && <p className={classes['muted']}>{t('mysql.starting')}</p>}
        <DataTable
          label={t('mysql.tables')}
          columns={columns}
          rows={data?.tables}
          rowKey={({ name }) => name}
          error={error}
          onRetry={() => void refetch()}
          skeletonRows={3}
          empty={<EmptyState title={t('mysql.noTables')} text={t('mysql.noTablesText')} figure="none" />}
        />
        {opened !== null && (
          <RowsView key={opened} serverId={serverId} table={opened} onClose={() => setOpened(null)} />
        )}
      </div>
      {imports && (
        <ImportDialog
          serverId={serverId}
          onClose={() => setImports(false)}
          onTried={changed}
          onImported={(name) => {
            setImported(name)
            setImports(false)
          }}
        />
      )}
    </Card>
  )
}
