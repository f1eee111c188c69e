import { Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconMinus, IconPlus, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PackagePreview, PackageSelector } from '@wakestone/contract/servers/packages'
import { selectorText } from '#app/features/packages/package-reasons.ts'
import { usePackageHeads } from '#app/features/packages/use-package-heads.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { useServerPage } from '../use-server-page.ts'
import type { AskedChange } from './package-change.ts'
import classes from './packages.module.css'

/** What a change would do: what comes, changes and goes, what is fetched for it, and whether the game is stopped. */
export function PlanView({
  preview: { added, changed, removed, recommended, restarts, warnings, data_folders: folders, plugins, ground, packs },
  asked,
  onChange,
  ticked,
  onTick,
}: {
  preview: PackagePreview
  asked: AskedChange
  onChange: (asked: AskedChange) => void
  ticked: readonly PackageSelector[]
  onTick: (selector: PackageSelector, isWanted: boolean) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useServerPage()
  const { titleOf } = usePackageHeads(
    server.id,
    [...added, ...changed, ...removed, ...recommended, ...warnings].flatMap(({ name }) => name ?? []),
  )
  const bytes = [...added, ...changed].reduce((sum, one) => sum + one.bytes, 0)
  const size = (one: { bytes: number }) => (one.bytes === 0 ? '' : format.bytes(one.bytes))
  const isTicked = (selector: PackageSelector) => ticked.some(({ name }) => name === selector.name)
  const offered = [...recommended, ...ticked.filter(({ name }) => !recommended.some((one) => one.name === name))]
  return (
    <div className={classes['plan']}>
      <Group title={t('packages.added')} icon={<IconPlus size={16} aria-hidden="true" />}>
        {added.map((one) => (
          <Row
            key={one.name}
            name={titleOf(one.name)}
            versions={one.version}
            size={size(one)}
            note={one.asked ? undefined : t('packages.comesAlong')}
          />
        ))}
      </Group>
      <Group title={t('packages.changed')} icon={<IconRefresh size={16} aria-hidden="true" />}>
        {changed.map((one) => (
          <Row key={one.name} name={titleOf(one.name)} versions={`${one.from} → ${one.to}`} size={size(one)} />
        ))}
      </Group>
      <Group title={t('packages.removed')} icon={<IconMinus size={16} aria-hidden="true" />}>
        {removed.map((one) => (
          <Row key={one.name} name={titleOf(one.name)} versions={one.version} size="" />
        ))}
      </Group>
      {added.length + changed.length + removed.length === 0 && <p>{t('packages.nothingToDo')}</p>}
      {ground !== null && (
        <p className={classes['warning']}>
          <IconAlertTriangle size={18} aria-hidden="true" />
          {t('packages.groundChanges', {
            from: `${engineName(ground.from.engine)} ${ground.from.version}`,
            to: `${engineName(ground.to.engine)} ${ground.to.version}`,
          })}
        </p>
      )}
      {packs.map((pack) => (
        <PackContent key={pack.name} pack={pack} />
      ))}
      {offered.length > 0 && (
        <fieldset className={classes['optional']}>
          <legend>{t('packages.recommended')}</legend>
          {offered.map((selector) => (
            <Checkbox
              key={selectorText(selector)}
              label={selectorText({
                ...selector,
                ...(selector.name !== undefined && { name: titleOf(selector.name) }),
              })}
              checked={isTicked(selector)}
              onChange={(event) => onTick(selector, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {asked.kind === 'uninstall' && folders.length > 0 && (
        <Checkbox
          label={t('packages.deleteData')}
          description={t('packages.deleteDataHint', { folders: folders.join(', ') })}
          checked={asked.deleteData}
          onChange={(event) => onChange({ ...asked, deleteData: event.currentTarget.checked })}
        />
      )}
      {asked.kind === 'update' && (
        <Checkbox
          label={t('packages.backupFirst')}
          checked={asked.backup}
          onChange={(event) => onChange({ ...asked, backup: event.currentTarget.checked })}
        />
      )}
      {warnings.length > 0 && (
        <ul className={classes['warnings']}>
          {warnings.map(({ kind, name }) => (
            <li key={`${kind} ${name}`} className={classes['warning']}>
              <IconAlertTriangle size={18} aria-hidden="true" />
              {t(`packages.warnings.${kind}`, { name: titleOf(name) })}
            </li>
          ))}
        </ul>
      )}
      {plugins.limit !== null && (
        <p className={classes['muted']}>{t('packages.pluginCount', { count: plugins.count, limit: plugins.limit })}</p>
      )}
      {bytes > 0 && <p className={classes['muted']}>{t('packages.fetched', { size: format.bytes(bytes) })}</p>}
      {restarts ? (
        <p className={classes['warning']}>
          <IconAlertTriangle size={18} aria-hidden="true" />
          {t('packages.restarts')}
        </p>
      ) : (
        <p className={classes['muted']}>{t('packages.noRestart')}</p>
      )}
    </div>
  )
}

/** What a pack lays out, and what people have to fetch for it themselves. */
function PackContent({ pack }: { pack: PackagePreview['packs'][number] }) {
  const { t } = useTranslation()
  return (
    <section className={classes['group']}>
      <p>
        {t('packages.packFiles', { count: pack.files })}
        {pack.left_out > 0 && ` ${t('packages.packLeftOut', { count: pack.left_out })}`}
      </p>
      {pack.by_hand.length > 0 && (
        <>
          <p className={classes['warning']}>
            <IconAlertTriangle size={18} aria-hidden="true" />
            {t('packages.packByHand', { count: pack.by_hand.length })}
          </p>
          <ul>
            {pack.by_hand.map((address) => (
              <li key={address}>
                <a href={address} rel="noopener noreferrer" target="_blank">
                  {address.replace(/^https:\/\//, '')}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Group({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section className={classes['group']}>
      <h3>
        {icon} {title}
      </h3>
      <ul>{children}</ul>
    </section>
  )
}

function Row({
  name,
  versions,
  size,
  note,
}: {
  name: string
  versions: string
  size: string
  note?: string | undefined
}) {
  return (
    <li>
      <span>
        <span className={classes['name']}>{name}</span>
        {note !== undefined && <small className={classes['note']}>{note}</small>}
      </span>
      <span className={classes['versions']}>{versions}</span>
      <span className={classes['muted']}>{size}</span>
    </li>
  )
}
