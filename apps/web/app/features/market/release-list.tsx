import { IconDownload } from '@tabler/icons-react'
import type { Project } from '@wakestone/contract/marketplace/project'
import type { Finding, Release } from '@wakestone/contract/marketplace/release'
import { findingTexts } from './finding-texts.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Prose } from '#app/ui/prose.tsx'
import classes from './project.module.css'

/** Releases, newest first: what each is for, its files, and what they can do. */
export function ReleaseList({ project, releases }: { project: Project; releases: readonly Release[] }) {
  const { t } = useTranslation()
  if (releases.length === 0) return <EmptyState title={t('market.noReleasesTitle')} text={t('market.noReleasesText')} />
  return (
    <ol className={classes['releases']}>
      {releases.map((release) => (
        <ReleaseRow key={release.id} release={release} isMember={project.role !== null} />
      ))}
    </ol>
  )
}

function ReleaseRow({ release, isMember }: { release: Release; isMember: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, queue } = release
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
      <p className={classes['muted']}>
        {release.loaders.map((loader) => t(`market.loaders.${loader}`)).join(', ')} · {release.game_versions.join(', ')}
      </p>
      {queue !== null && (
        <p className={classes['hint']}>
          {t('market.queue', { position: format.number(queue.position), length: format.number(queue.length) })}
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
      {release.findings.length > 0 && <Findings findings={release.findings} isMember={isMember} />}
    </li>
  )
}

function Findings({ findings, isMember }: { findings: readonly Finding[]; isMember: boolean }) {
  const { t } = useTranslation()
  const texts = findingTexts(t)
  return (
    <details className={classes['findings']} open={isMember && findings.some(({ level }) => level === 'refused')}>
      <summary>{t('market.findings')}</summary>
      <p className={classes['muted']}>{t('market.findingsText')}</p>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.rule} ${finding.file}`} data-level={finding.level}>
            {texts(finding.rule)}
            {finding.file !== '' && isMember && <span className={classes['muted']}> · {finding.file}</span>}
            {finding.details.length > 0 && (
              <ul className={classes['details']}>
                {finding.details.map((detail) => (
                  <li key={detail}>
                    <code>{detail}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
