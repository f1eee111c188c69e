import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { installedPackageSchema } from '@wakestone/contract/servers/packages'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import type { AskedChange } from './package-change.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

type InstalledPackage = z.output<typeof installedPackageSchema>
type Opened = { title: string; asked: AskedChange }

const nameOf = ({ Manifest: manifest }: InstalledPackage) => String(manifest['name'])

/** What is on the server, and what can be done with it. */
export function Installed() {
  const { t } = useTranslation()
  const { identity, installed } = usePackages()
  const [opened, setOpened] = useState<Opened | null>(null)
  const packages = installed.data
  if (packages === undefined)
    return installed.error === null ? (
      <Skeleton height={220} radius={12} />
    ) : (
      <ErrorState error={installed.error} onRetry={() => void installed.refetch()} />
    )
  return (
    <>
      {packages.length === 0 ? (
        <Card>
          <EmptyState
            title={t('packages.emptyTitle')}
            text={t('packages.emptyText')}
            action={<LinkButton to={`/s/${identity}/m`}>{t('packages.find')}</LinkButton>}
          />
        </Card>
      ) : (
        <Card padded={false}>
          <ul className={classes['rows']}>
            {packages.map((one) => (
              <PackageRow key={one.ManifestHash} installed={one} onOpen={setOpened} />
            ))}
          </ul>
        </Card>
      )}
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function PackageRow({ installed, onOpen }: { installed: InstalledPackage; onOpen: (opened: Opened) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { identity, why } = usePackages()
  const name = nameOf(installed)
  return (
    <li className={classes['row']}>
      <div>
        <h3>
          <Link to={`/s/${identity}/m/${encodeURIComponent(name)}`}>{name}</Link>{' '}
          <span className={classes['versions']}>{String(installed.Manifest['packageVersion'])}</span>
        </h3>
        <p className={classes['muted']}>
          {installed.InstalledBySelector === undefined ? t('packages.neededByOthers') : t('packages.asked')} ·{' '}
          {t('packages.since', { date: format.date(installed.InstalledDate) })}
        </p>
      </div>
      <div className={classes['actions']}>
        <Button
          size="small"
          look="quiet"
          why={why}
          icon={<IconTrash size={16} aria-hidden="true" />}
          aria-label={t('packages.uninstallOne', { name })}
          onClick={() =>
            onOpen({ title: t('packages.uninstallTitle', { name }), asked: { kind: 'uninstall', names: [name] } })
          }
        >
          {t('packages.uninstall')}
        </Button>
      </div>
    </li>
  )
}
