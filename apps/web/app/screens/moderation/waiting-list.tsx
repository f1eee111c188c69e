import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { decideRelease, listWaitingReleases } from '@wakestone/contract/marketplace/moderation-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { Findings } from '#app/features/market/findings.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { DoneNote } from '#app/ui/done-note.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Prose } from '#app/ui/prose.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './moderation.module.css'
import { waitingQuery } from './moderation-queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Waiting = z.output<(typeof listWaitingReleases.responses)[200]>[number]

/** Releases that a person has to look at, those that have waited longest first. */
export function WaitingList() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(waitingQuery())
  /** What was decided last: its release stands here no longer. */
  const [decided, setDecided] = useState<string | null>(null)
  if (data === undefined)
    return error === null ? (
      <Skeleton height={260} radius={12} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  return (
    <div className={classes['parts']}>
      {decided !== null && <DoneNote>{decided}</DoneNote>}
      {data.length === 0 ? (
        <Card>
          <EmptyState title={t('moderation.nothingWaits')} text={t('moderation.nothingWaitsText')} figure="cat" />
        </Card>
      ) : (
        <ol className={classes['list']}>
          {data.map((one, index) => (
            <li key={one.release.id}>
              <WaitingRelease waiting={one} place={index + 1} count={data.length} onDecided={setDecided} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function WaitingRelease({
  waiting: { project, release, waiting_since: since },
  place,
  count,
  onDecided,
}: {
  waiting: Waiting
  place: number
  count: number
  onDecided: (note: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [isRefusing, setRefusing] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const decide = async (body: { decision: 'publish' } | { decision: 'refuse'; reason: string }) => {
    await api(decideRelease, { params: { releaseId: release.id }, body })
    const words = { name: project.name, version: release.version }
    onDecided(t(body.decision === 'publish' ? 'moderation.published' : 'moderation.refused', words))
    await makeStale(queries, answersOf(listWaitingReleases))
  }
  const publish = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await decide({ decision: 'publish' })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title={
        <Link to={path(`/m/${project.slug}`)}>
          {project.name} {release.version}
        </Link>
      }
      beside={t('market.queue', { position: format.number(place), length: format.number(count) })}
    >
      <div className={classes['parts']}>
        <p className={classes['muted']}>
          {t('moderation.waitingSince')} <DateTime value={since} />
          {release.published_by !== null && ` · ${release.published_by.username}`}
          {` · ${release.loaders.map((one) => t(`market.loaders.${one}`)).join(', ')} · ${release.game_versions.join(', ')}`}
        </p>
        {release.html !== '' && <Prose html={release.html} small />}
        <ul className={classes['files']}>
          {release.artifacts.map((file) => (
            <li key={file.id}>
              <a href={file.url} download>
                <IconDownload size={16} aria-hidden="true" /> {file.name}
              </a>{' '}
              <span className={classes['muted']}>{format.bytes(file.size)}</span>{' '}
              <Link to={`?list=quarantine&sha256=${file.hash}`}>
                <code>{file.hash.slice(0, 16)}…</code>
              </Link>
            </li>
          ))}
        </ul>
        {release.findings.length === 0 ? (
          <p className={classes['muted']}>{t('moderation.nothingFound')}</p>
        ) : (
          <Findings findings={release.findings} isMember isOpen />
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['actions']}>
          <Button look="primary" loading={busy} onClick={() => void publish()}>
            {t('moderation.publish')}
          </Button>
          <Button look="danger" onClick={() => setRefusing(true)}>
            {t('moderation.refuse')}
          </Button>
        </div>
      </div>
      {isRefusing && (
        <ReasonDialog
          title={t('moderation.refuseTitle', { name: project.name, version: release.version })}
          text={t('moderation.refuseText')}
          action={t('moderation.refuse')}
          onClose={() => setRefusing(false)}
          onConfirm={(reason) => decide({ decision: 'refuse', reason })}
        />
      )}
    </Card>
  )
}
