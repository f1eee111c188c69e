import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconArrowLeft } from '@tabler/icons-react'
import { getFileRevision } from '@wakestone/contract/servers/files-routes'
import { useState } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { revisionsQuery } from '../files-queries.ts'
import { useFiles } from '../use-files.ts'
import { DiffView } from './diff-view.tsx'
import classes from './editor.module.css'
import type { LineEnd } from './text-codec.ts'

/** The texts that a file had before, what differs from how it is now, and the way back to one. */
export default function Revisions({
  path,
  now,
  lineEnd,
  onReturn,
  onClose,
}: {
  path: string
  now: string
  lineEnd: LineEnd
  onReturn: (text: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { serverId } = useFiles()
  const list = useQuery({ ...revisionsQuery(serverId, path), staleTime: 0 })
  const [chosen, setChosen] = useState<string | null>(null)
  const revisions = list.data?.revisions
  const id = chosen ?? revisions?.[0]?.id
  const text = useQuery({
    ...queryOf(getFileRevision, { params: { id: serverId }, query: { path, revision: id ?? '' } }),
    enabled: id !== undefined,
    staleTime: Infinity,
  })
  const before =
    text.data === undefined ? undefined : lineEnd === 'mixed' ? text.data.text : text.data.text.replace(/\r\n?/g, '\n')
  return (
    <>
      <div className={classes['tools']}>
        <Button size="small" look="quiet" icon={<IconArrowLeft />} onClick={onClose}>
          {t('files.revisions.back')}
        </Button>
        <code className={classes['path']}>{path}</code>
        <Button
          size="small"
          look="primary"
          icon={<IconArrowBackUp />}
          why={
            before === undefined ? t('files.revisions.choose') : before === now ? t('files.revisions.same') : undefined
          }
          onClick={() => onReturn(before ?? now)}
        >
          {t('files.revisions.return')}
        </Button>
      </div>
      {list.error !== null && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {revisions?.length === 0 && (
        <EmptyState figure="none" title={t('files.revisions.none')} text={t('files.revisions.noneText')} />
      )}
      {revisions !== undefined && revisions.length > 0 && (
        <div className={classes['revisions']}>
          <ul aria-label={t('files.revisions.list')}>
            {revisions.map((revision) => (
              <li key={revision.id}>
                <button type="button" aria-pressed={revision.id === id} onClick={() => setChosen(revision.id)}>
                  <span>{format.dateTime(revision.saved_at)}</span>
                  <small>
                    {format.relative(revision.saved_at)} · {format.bytes(revision.size)}
                  </small>
                </button>
              </li>
            ))}
          </ul>
          <div className={classes['revision']}>
            <div className={classes['diffNames']}>
              <span>{t('files.revisions.before')}</span>
              <span>{t('files.revisions.now')}</span>
            </div>
            {text.error !== null && <ErrorNote error={text.error} />}
            {before === undefined && text.error === null && <Skeleton height="40vh" />}
            {before !== undefined && (
              <DiffView
                key={id}
                path={path}
                left={before}
                right={now}
                leftLabel={t('files.revisions.before')}
                rightLabel={t('files.revisions.now')}
              />
            )}
          </div>
        </div>
      )}
    </>
  )
}
