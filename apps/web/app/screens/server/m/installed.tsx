import { useQuery } from '@tanstack/react-query'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { installedPackageSchema, PackageUpdates } from '@wakestone/contract/servers/packages'
import { listPackageUpdates } from '@wakestone/contract/servers/packages-routes'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { type AskedChange, askFor, askForUpdate, askToRemove } from './package-change.ts'
import classes from './packages.module.css'
import { UpdateRuleCard } from './update-rule-card.tsx'
import { usePackages } from './use-packages.ts'

type InstalledPackage = z.output<typeof installedPackageSchema>
type Opened = { title: string; asked: AskedChange }

/** What is on the server: newer releases of it, and what can be done with each. */
export function Installed() {
  const { t } = useTranslation()
  const { server, identity, installed, mayInstall } = usePackages()
  const updates = useQuery(queryOf(listPackageUpdates, { params: { id: server.id } }, { staleTime: 60_000 }))
  const [opened, setOpened] = useState<Opened | null>(null)
  const packages = installed.data
  if (packages === undefined)
    return installed.error === null ? (
      <Skeleton height={220} radius={12} />
    ) : (
      <ErrorState error={installed.error} onRetry={() => void installed.refetch()} />
    )
  if (packages.length === 0)
    return (
      <Card>
        <EmptyState
          title={t('packages.emptyTitle')}
          text={t('packages.emptyText')}
          action={<LinkButton to={`/s/${identity}/m`}>{t('packages.find')}</LinkButton>}
        />
      </Card>
    )
  return (
    <>
      {updates.error !== null && <ErrorNote error={updates.error} />}
      {updates.data !== undefined && <UpdatesCard updates={updates.data} onOpen={setOpened} />}
      <Card padded={false}>
        <ul className={classes['rows']}>
          {packages.map((one) => (
            <PackageRow
              key={one.ManifestHash}
              installed={one}
              update={updates.data?.updates.find(({ name }) => name === one.Manifest['name'])?.to}
              onOpen={setOpened}
            />
          ))}
        </ul>
      </Card>
      {updates.data !== undefined && mayInstall && (
        <UpdateRuleCard key={JSON.stringify(updates.data.rule)} rule={updates.data.rule} />
      )}
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** What is newer, all of it with one click; and what is held back by the rest, which a plan explains. */
function UpdatesCard({
  updates: { updates, held, unavailable, checked_at: checked },
  onOpen,
}: {
  updates: PackageUpdates
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { why } = usePackages()
  return (
    <Card
      title={updates.length === 0 ? t('packages.noUpdates') : t('packages.updatesTitle', { count: updates.length })}
      beside={checked === null ? undefined : t('packages.checkedAt', { date: format.dateTime(checked) })}
    >
      <div className={classes['plan']}>
        {updates.length > 0 && <p>{updates.map(({ name, from, to }) => `${name} ${from} → ${to}`).join(', ')}</p>}
        {unavailable.map((name) => (
          <p key={name} className={classes['muted']}>
            {t('packages.sourceAway', { name })}
          </p>
        ))}
        {held.map(({ name, newest }) => (
          <p key={name} className={classes['muted']}>
            {t('packages.held', { name, newest })}{' '}
            <Button
              size="small"
              look="quiet"
              onClick={() => onOpen({ title: t('packages.updateTitle', { name }), asked: askFor(name, newest) })}
            >
              {t('packages.heldWhy')}
            </Button>
          </p>
        ))}
        {updates.length > 0 && (
          <div className={classes['actions']}>
            <Button
              look="primary"
              icon={<IconRefresh size={16} aria-hidden="true" />}
              why={why}
              onClick={() => onOpen({ title: t('packages.updateAll'), asked: askForUpdate(null) })}
            >
              {t('packages.updateAll')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function PackageRow({
  installed,
  update,
  onOpen,
}: {
  installed: InstalledPackage
  /** The version that it could have. */
  update: string | undefined
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { identity, why } = usePackages()
  const name = String(installed.Manifest['name'])
  const { contentVersion, packageVersion } = installed.Manifest
  return (
    <li className={classes['row']}>
      <div>
        <h3>
          <Link to={`/s/${identity}/m/${encodeURIComponent(name)}`}>{name}</Link>{' '}
          <span className={classes['versions']}>{String(contentVersion ?? packageVersion)}</span>
        </h3>
        <p className={classes['muted']}>
          {installed.InstalledBySelector === undefined ? t('packages.neededByOthers') : t('packages.asked')} ·{' '}
          {t('packages.since', { date: format.date(installed.InstalledDate) })}
        </p>
      </div>
      <div className={classes['actions']}>
        {update !== undefined && (
          <Button
            size="small"
            why={why}
            icon={<IconRefresh size={16} aria-hidden="true" />}
            aria-label={t('packages.updateOne', { name, version: update })}
            onClick={() => onOpen({ title: t('packages.updateTitle', { name }), asked: askForUpdate([name]) })}
          >
            {update}
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          why={why}
          icon={<IconTrash size={16} aria-hidden="true" />}
          aria-label={t('packages.uninstallOne', { name })}
          onClick={() => onOpen({ title: t('packages.uninstallTitle', { name }), asked: askToRemove([name]) })}
        >
          {t('packages.uninstall')}
        </Button>
      </div>
    </li>
  )
}
