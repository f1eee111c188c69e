import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react'
import { listMysqlRows } from '@wakestone/contract/servers/mysql-routes'
import { useState } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './mysql.module.css'

/** The rows of one table, page by page. They scroll to the side: a table may have any number of columns. */
export function RowsView({ serverId, table, onClose }: { serverId: string; table: string; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  /** Where the pages before this one began. */
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const offset = offsets.at(-1) ?? 0
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queryOf(listMysqlRows, { params: { id: serverId }, query: { table, offset } }),
    placeholderData: keepPreviousData,
  })
  const next = data?.next_offset ?? null
  return (
    <section className={classes['parts']}>
      <div className={classes['row']}>
        <h3 className={classes['title']}>
          <code>{table}</code>
        </h3>
        <Button look="quiet" icon={<IconX />} onClick={onClose}>
          {t('mysql.close')}
        </Button>
      </div>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={160} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.rows.length === 0 && offset === 0 ? (
        <EmptyState title={t('mysql.noRows')} text={t('mysql.noRowsText')} figure="none" />
      ) : (
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
          <div className={classes['scroll']} role="region" tabIndex={0} aria-label={t('mysql.rowsOf', { table })}>
            <table className={classes['rows']} aria-busy={isPlaceholderData || undefined}>
              <thead>
                <tr>
                  {data.columns.map(({ name, type, is_key }) => (
                    <th key={name} scope="col">
                      {name} {is_key && <abbr title={t('mysql.key')}>*</abbr>}
                      <span className={classes['type']}>{type}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.rows.map((row, index) => (
                  <tr key={offset + index}>
                    {row.map((value, place) => (
                      <td key={data.columns[place]?.name ?? place}>
                        {value === null ? <i className={classes['muted']}>{t('mysql.isNull')}</i> : value}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div className={classes['row']}>
            <span className={classes['muted']}>
              {t('mysql.place', {
                first: format.number(offset + 1),
                last: format.number(offset + data.rows.length),
              })}
            </span>
            {(offsets.length > 1 || next !== null) && (
              <div className={classes['buttons']}>
                {offsets.length > 1 && (
                  <Button size="small" icon={<IconChevronLeft />} onClick={() => setOffsets(offsets.slice(0, -1))}>
                    {t('table.previous')}
                  </Button>
                )}
                {next !== null && (
                  <Button size="small" icon={<IconChevronRight />} onClick={() => setOffsets([...offsets, next])}>
                    {t('table.next')}
                  </Button>
                )}
              </div>
            )}
          </div>
        </>
      )}
    </section>
  )
}
