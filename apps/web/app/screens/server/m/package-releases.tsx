import type { PackageProject } from '@wakestone/contract/servers/package-search'
import { selectorText } from '#app/features/packages/package-reasons.ts'
import { engineName, gameOrEngineVersion } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Prose } from '#app/ui/prose.tsx'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

/** Releases, newest first: whether each fits the server, what it needs, and what is new in it. */
export function PackageReleases({ releases }: { releases: PackageProject['releases'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = usePackages()
  const { engine } = server.parameters
  const version = gameOrEngineVersion(server)
  if (releases.length === 0)
    return <EmptyState figure="none" title={t('market.noReleasesTitle')} text={t('market.noReleasesText')} />
  return (
    <ol className={classes['releases']}>
      {releases.map((release) => (
        <li key={release.version} className={classes['release']}>
          <details>
            <summary>
              <strong>{release.version}</strong>
              {release.channel !== 'stable' && <span>{t(`market.releaseTypes.${release.channel}`)}</span>}
              {release.fits === false && (
                <span className={classes['muted']}>
                  {t('packages.notFitting', { engine: engineName(engine), version })}
                </span>
              )}
              {release.published_at !== null && (
                <span className={classes['muted']}>
                  <DateTime value={release.published_at} dateOnly />
                </span>
              )}
              {release.bytes !== null && <span className={classes['muted']}>{format.bytes(release.bytes)}</span>}
            </summary>
            <p className={classes['muted']}>
              {release.loaders.join(', ')} · {release.game_versions.join(', ')}
            </p>
            {release.requires.map((selector) => (
              <p key={selectorText(selector)}>
                {t('packages.reasons.requires', { who: release.version, wanted: selectorText(selector) })}
              </p>
            ))}
            {release.html !== '' && <Prose html={release.html} small />}
          </details>
        </li>
      ))}
    </ol>
  )
}
