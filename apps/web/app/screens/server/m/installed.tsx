import { useQuery } from '@tanstack/react-query'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { PackageHead } from '@wakestone/contract/servers/package-search'
import type { installedPackageSchema, PackageUpdates } from '@wakestone/contract/servers/packages'
import { listPackageUpdates } from '@wakestone/contract/servers/packages-routes'
import { queryOf } from '#app/api/query-of.ts'
import { PackageIcon } from '#app/features/packages/package-card.tsx'
import { useKindName } from '#app/features/packages/use-kind-name.ts'
import { usePackageHeads } from '#app/features/packages/use-package-heads.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { type AskedChange, askFor, askForNewest, askForUpdate, askToRemove, versionsIn } from './package-change.ts'
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
  const { headOf, titleOf, isPending } = usePackageHeads(
    server.id,
    (packages ?? []).map(({ Manifest: { name } }) => String(name)),
  )
  if (packages === undefined || isPending)
    return packages !== undefined || installed.error === null ? (
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
      {updates.data !== undefined && <UpdatesCard updates={updates.data} titleOf={titleOf} onOpen={setOpened} />}
      <Card padded={false}>
        <ul className={classes['rows']}>
          {packages.map((one) => (
            <PackageRow
              key={one.ManifestHash}
              installed={one}
              head={headOf(String(one.Manifest['name']))}
              updates={updates.data}
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
  updates: { updates, chosen, held, unavailable, checked_at: checked },
  titleOf,
  onOpen,
}: {
  updates: PackageUpdates
  titleOf: (name: string) => string
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { why } = usePackages()
  const isMore = updates.length + chosen.length + held.length + unavailable.length > 0
  return (
    <Card
      title={
        updates.length > 0
          ? t('packages.updatesTitle', { count: updates.length })
          : t(chosen.length + held.length > 0 ? 'packages.noneToTake' : 'packages.noUpdates')
      }
      beside={checked === null ? undefined : t('packages.checkedAt', { date: format.dateTime(checked) })}
    >
      {isMore && (
        <div className={classes['plan']}>
          {updates.length > 0 && (
            <p>{updates.map(({ name, from, to }) => `${titleOf(name)} ${from} → ${to}`).join(', ')}</p>
          )}
          {unavailable.map((name) => (
            <p key={name} className={classes['muted']}>
              {t('packages.sourceAway', { name: titleOf(name) })}
            </p>
          ))}
          {chosen.map(({ name, to, wanted }) => (
            <p key={name} className={classes['muted']}>
              {t('packages.chosen', { name: titleOf(name), version: versionsIn(wanted), newest: to })}
            </p>
          ))}
          {held.map(({ name, newest }) => (
            <p key={name} className={classes['muted']}>
              {t('packages.held', { name: titleOf(name), newest })}{' '}
              <Button
                size="small"
                look="quiet"
                onClick={() =>
                  onOpen({ title: t('packages.updateTitle', { name: titleOf(name) }), asked: askFor(name, newest) })
                }
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
      )}
    </Card>
  )
}

function PackageRow({
  installed,
  head,
  updates,
  onOpen,
}: {
  installed: InstalledPackage
  /** Undefined: not told, or not yet. */
  head: PackageHead | undefined
  updates: PackageUpdates | undefined
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { identity, why } = usePackages()
  const name = String(installed.Manifest['name'])
  const { contentVersion, packageVersion } = installed.Manifest
  const kindName = useKindName()
  const title = head?.title ?? name
  /** The version that it could have. */
  const update = updates?.updates.find((one) => one.name === name)?.to
  /** The version that it could have if its owner had not chosen another. */
  const chosen = updates?.chosen.find((one) => one.name === name)
  const offered = update ?? chosen?.to
  const held = updates?.held.find((one) => one.name === name)?.newest
  const isUnknown = updates === undefined || updates.checked_at === null || updates.unavailable.includes(name)
  const details = [
    ...(head === undefined ? [] : [kindName(head.kind), t(`packages.sources.${head.source}`)]),
    installed.InstalledBySelector === undefined
      ? t('packages.neededByOthers')
      : chosen === undefined
        ? t('packages.asked')
        : t('packages.youChose', { version: versionsIn(chosen.wanted) }),
    t('packages.since', { date: format.date(installed.InstalledDate) }),
  ]
  return (
    <li className={classes['row']}>
      <PackageIcon hit={{ name, icon_url: head?.icon_url ?? null }} size={44} />
      <div>
        <div className={classes['rowHead']}>
          <h3>
            <Link to={`/s/${identity}/m/${encodeURIComponent(name)}`}>{title}</Link>{' '}
            <span className={classes['versions']}>{String(contentVersion ?? packageVersion)}</span>
          </h3>
          {offered !== undefined || held !== undefined ? (
            <Badge colour="lantern" shape="ring" size="small">
              {t('packages.newer', { version: offered ?? held })}
            </Badge>
          ) : (
            !isUnknown && (
              <Badge colour="moss" shape="filled" size="small">
                {t('packages.upToDate')}
              </Badge>
            )
          )}
        </div>
        <p className={classes['details']}>
          {details.map((detail) => (
            <span key={detail}>{detail}</span>
          ))}
        </p>
      </div>
      <div className={classes['actions']}>
        {offered !== undefined && (
          <Button
            size="small"
            why={why}
            icon={<IconRefresh size={16} aria-hidden="true" />}
            aria-label={t('packages.updateOne', { name: title, version: offered })}
            onClick={() =>
              onOpen({
                title: t('packages.updateTitle', { name: title }),
                asked: update === undefined ? askForNewest(name) : askForUpdate([name]),
              })
            }
          >
            {update === undefined ? t('packages.updateTo', { version: offered }) : t('packages.update')}
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          why={why}
          icon={<IconTrash size={16} aria-hidden="true" />}
          aria-label={t('packages.uninstallOne', { name: title })}
          onClick={() => onOpen({ title: t('packages.uninstallTitle', { name: title }), asked: askToRemove([name]) })}
        >
          {t('packages.uninstall')}
        </Button>
      </div>
    </li>
  )
}
