import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreCraftumVersion } from '@wakestone/contract/websites/craftums-routes'
import type { CraftumParameters } from '@wakestone/contract/websites/website'
import { api } from '#app/api/client.ts'
import { versionsQuery } from '#app/features/websites/website-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './editor.module.css'
import type { Draft } from './use-draft.ts'

/** What was published: any of it can be the draft again. */
export function VersionsPanel({ website, draft }: { website: CraftumParameters; draft: Draft }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, online } = website.craftum
  const list = useQuery(versionsQuery(id))
  const [asked, setAsked] = useState<number | null>(null)
  const [isStopping, setStopping] = useState(false)
  const restore = useMutation({
    mutationFn: (version: number) =>
      api(restoreCraftumVersion, { params: { id, version }, body: { revision: draft.revision } }),
    onSuccess: (next) => draft.take(next),
  })
  return (
    <section className={classes['panel']} aria-label={t('websites.tabs.versions')}>
      <h2 className={classes['head']}>{t('websites.tabs.versions')}</h2>
      {list.data === undefined ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <SkeletonText lines={3} />
        )
      ) : list.data.length === 0 ? (
        <p className={classes['muted']}>{t('websites.noVersions')}</p>
      ) : (
        <ol className={classes['blocks']}>
          {list.data.map(({ version, created_at, pages, blocks }) => (
            <li key={version} className={classes['block']} data-chosen={website.published_version === version}>
              <span className={classes['version']}>
                <strong>{t('websites.version', { number: version })}</strong>
                <span className={classes['muted']}>
                  {format.dateTime(created_at)} · {t('websites.pageCount', { count: pages })} ·{' '}
                  {t('websites.blockCount', { count: blocks })}
                </span>
                {website.published_version === version && <span>{t('websites.isPublished')}</span>}
              </span>
              <Button
                size="small"
                aria-label={t('websites.restoreOf', { number: version })}
                onClick={() => setAsked(version)}
              >
                {t('websites.restore')}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {restore.error !== null && <ErrorNote error={restore.error} title={t('websites.saveFailed')} />}
      {draft.unpublish.error !== null && <ErrorNote error={draft.unpublish.error} title={t('websites.saveFailed')} />}
      {online && (
        <Button look="danger" loading={draft.unpublish.isPending} onClick={() => setStopping(true)}>
          {t('websites.takeOff')}
        </Button>
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('websites.restoreTitle', { number: asked ?? 0 })}
        text={t('websites.restoreText')}
        action={t('websites.restore')}
        onConfirm={async () => {
          await restore.mutateAsync(asked ?? 0)
          setAsked(null)
        }}
      />
      <ConfirmDialog
        opened={isStopping}
        onClose={() => setStopping(false)}
        title={t('websites.takeOff')}
        text={t('websites.takeOffText')}
        action={t('websites.takeOff')}
        onConfirm={async () => {
          await draft.unpublish.mutateAsync()
          setStopping(false)
        }}
      />
    </section>
  )
}
