import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Project } from '@wakestone/contract/marketplace/project'
import type { Release } from '@wakestone/contract/marketplace/release'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Prose } from '#app/ui/prose.tsx'
import { Findings } from './findings.tsx'
import classes from './project.module.css'

/** Loaded for the project’s members only. */
const ReleaseEditLink = lazy(() => import('./release-edit-link.tsx'))

/** Releases, newest first: what each is for, its files, and what they can do. */
export function ReleaseList({
  project,
  releases,
}: {
  project: Pick<Project, 'slug' | 'role'>
  releases: readonly Release[]
}) {
  const { t } = useTranslation()
  if (releases.length === 0) return <EmptyState title={t('market.noReleasesTitle')} text={t('market.noReleasesText')} />
  return (
    <ol className={classes['releases']}>
      {releases.map((release) => (
        <ReleaseRow key={release.id} release={release} project={project} />
      ))}
    </ol>
  )
}

function ReleaseRow({ release, project }: { release: Release; project: Pick<Project, 'slug' | 'role'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, queue } = release
  const { slug, role } = project
  const isMember = role !== null
  return (
    <li className={classes['release']} id={release.id}>
      <div className={classes['releaseHead']}>
        <h2>{release.version}</h2>
        {release.release_type !== 'stable' && (
          <span className={classes['tag']}>{t(`market.releaseTypes.${release.release_type}`)}</span>
        )}
        {state !== 'published' && (
          <span className={classes['tag']} data-state={state}>
            {t(`market.states.${state}`)}
          </span>
        )}
        <span className={classes['muted']}>
          <DateTime value={release.published_at ?? release.created_at} />
        </span>
      </div>
      {release.archived_at !== null && <p className={classes['hint']}>{t('market.form.releaseArchived')}</p>}
      <p className={classes['muted']}>
        {t('market.compatibility')}: {release.loaders.map((loader) => t(`market.loaders.${loader}`)).join(', ')} ·{' '}
        {release.game_versions.join(', ')}
      </p>
      {isMember && state === 'checking' && (
        <p className={classes['hint']}>{`${t('market.checkingNow')} ${t('market.resultComes')}`}</p>
      )}
      {queue !== null && (
        <p className={classes['hint']}>
          {[
            t('market.queue', { position: format.number(queue.position), length: format.number(queue.length) }),
            queue.usual_seconds === null
              ? undefined
              : t('market.usualWait', { time: format.duration(queue.usual_seconds) }),
            t('market.resultComes'),
          ]
            .filter((sentence) => sentence !== undefined)
            .join(' ')}
        </p>
      )}
      {release.reason !== null && <p className={classes['warning']}>{release.reason}</p>}
      {release.html !== '' && <Prose html={release.html} small />}
      {['published', 'withdrawn'].includes(state) && (
        <ul className={classes['files']}>
          {release.artifacts.map((file) => (
            <li key={file.id}>
              <a href={file.url} download>
                <IconDownload size={16} aria-hidden="true" /> {file.name}
              </a>
              <span className={classes['muted']}>{format.bytes(file.size)}</span>
              <code title={t('market.hash')}>{file.hash.slice(0, 16)}…</code>
            </li>
          ))}
        </ul>
      )}
      {role !== null && (
        <Suspense>
          <ReleaseEditLink slug={slug} role={role} release={release} />
        </Suspense>
      )}
      {release.findings.length > 0 && <Findings findings={release.findings} isMember={isMember} />}
    </li>
  )
}
