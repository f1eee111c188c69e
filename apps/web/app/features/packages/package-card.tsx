import { IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { PackageHit } from '@wakestone/contract/servers/package-search'
import { Short } from '#app/features/market/short.tsx'
import marketClasses from '#app/features/market/market.module.css'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { NamePixels } from '#app/ui/name-pixels.tsx'

/** A package of any source in a list: what it is, where it comes from, and whether the server has it. */
export function PackageCard({ hit, to }: { hit: PackageHit; to: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { installed, only_link: isLink } = hit
  return (
    <li className={marketClasses['card']}>
      <PackageIcon hit={hit} size={56} />
      <div className={marketClasses['words']}>
        <h3>
          <Link to={to}>{hit.title}</Link>
        </h3>
        <p className={marketClasses['by']}>
          {t(`packages.sources.${hit.source}`)}
          {hit.author !== '' && ` · ${t('market.by', { name: hit.author })}`}
        </p>
        <p className={marketClasses['short']}>
          <Short text={hit.summary} />
        </p>
        <ul className={marketClasses['tags']}>
          {installed !== null && <li data-tone="good">{t('packages.installedTag', { version: installed.version })}</li>}
          {isLink && <li>{t('packages.onlyLink')}</li>}
          {hit.categories.includes('sample') && <li>{t('market.sample')}</li>}
          {hit.latest_version !== null && installed === null && <li>{hit.latest_version}</li>}
        </ul>
      </div>
      {hit.downloads !== null && (
        <dl className={marketClasses['figures']}>
          <div>
            <dt>
              <IconDownload size={15} aria-hidden="true" />
              <span className="visually-hidden">{t('market.downloads')}</span>
            </dt>
            <dd>{format.number(hit.downloads)}</dd>
          </div>
        </dl>
      )}
    </li>
  )
}

/** Pictures of others are not loaded from them: they would learn who looks. */
export function PackageIcon({ hit, size }: { hit: Pick<PackageHit, 'icon_url' | 'name'>; size: number }) {
  if (hit.icon_url === null || !hit.icon_url.startsWith('/')) return <NamePixels name={hit.name} size={size} />
  return <img className={marketClasses['icon']} src={hit.icon_url} width={size} height={size} alt="" loading="lazy" />
}
