import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { World } from '@wakestone/contract/servers/worlds'
import { downloadWorld } from '@wakestone/contract/servers/worlds-routes'
import { type ReactNode, useState } from 'react'
import { api } from '#app/api/client.ts'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useWorlds } from './use-worlds.ts'
import classes from './worlds.module.css'

export type WorldDialog = 'edit' | 'switch' | 'duplicate' | 'rename' | 'reset' | 'prune' | 'backup' | 'delete'

const ticksOfDay = 24_000

/** One world: what is known of it, and what can be done with it. */
export function WorldCard({ world, onOpen }: { world: World; onOpen: (dialog: WorldDialog) => void }) {
  const { t } = useTranslation()
  const { name, is_active, level } = world
  return (
    <Card title={name} beside={<Badges world={world} />}>
      <div className={classes['parts']}>
        {level === null ? (
          <p className={classes['warning']}>{t('worlds.damagedText')}</p>
        ) : (
          level.is_newer && (
            <p className={classes['warning']}>
              {t('worlds.newerText', { version: level.version ?? t('worlds.unknown') })}
            </p>
          )
        )}
        <Facts world={world} />
        <Actions world={world} isActive={is_active} onOpen={onOpen} />
      </div>
    </Card>
  )
}

function Badges({ world: { is_active, in_use, level } }: { world: World }) {
  const { t } = useTranslation()
  return (
    <span className={classes['badges']}>
      {is_active && (
        <Badge colour="moss" shape="filled" size="small">
          {t('worlds.active')}
        </Badge>
      )}
      {in_use && !is_active && (
        <Badge colour="dusk" shape="ring" size="small">
          {t('worlds.inUse')}
        </Badge>
      )}
      {level?.is_newer === true && (
        <Badge colour="ember" shape="triangle" size="small">
          {t('worlds.newer')}
        </Badge>
      )}
      {level === null && (
        <Badge colour="ember" shape="triangle" size="small">
          {t('worlds.damaged')}
        </Badge>
      )}
    </span>
  )
}

function Facts({ world: { level, bytes, dimensions, folder } }: { world: World }) {
  const { t } = useTranslation()
  const format = useFormat()
  const dimensionName = useDimensionName()
  const unknown = t('worlds.unknown')
  const row = (key: string, value: ReactNode) => [{ key, value }]
  const rows = [
    ...(level === null
      ? []
      : [
          ...row(t('worlds.fact.version'), level.version ?? unknown),
          ...row(
            t('worlds.fact.seed'),
            level.seed === null ? unknown : <code className={classes['seed']}>{level.seed}</code>,
          ),
          // Not every engine writes it down.
          ...(level.last_played === null ? [] : row(t('worlds.fact.lastPlayed'), format.dateTime(level.last_played))),
          ...(level.difficulty === null
            ? []
            : row(
                t('worlds.fact.difficulty'),
                level.hardcore
                  ? t('worlds.hardcore', { difficulty: t(`worlds.difficulty.${level.difficulty}`) })
                  : t(`worlds.difficulty.${level.difficulty}`),
              )),
          ...(level.spawn === null
            ? []
            : row(t('worlds.fact.spawn'), `${level.spawn.x} / ${level.spawn.y} / ${level.spawn.z}`)),
          ...(level.border === null
            ? []
            : row(
                t('worlds.fact.border'),
                t('worlds.borderText', {
                  size: format.number(level.border.size),
                  x: format.number(level.border.x),
                  z: format.number(level.border.z),
                }),
              )),
          ...(level.time === null ? [] : row(t('worlds.fact.time'), dayTime(t, level.time))),
          ...(Object.keys(level.rules).length === 0 ? [] : row(t('worlds.fact.rules'), <Rules rules={level.rules} />)),
        ]),
    ...row(t('worlds.fact.size'), bytes === null ? unknown : format.bytes(bytes)),
    ...(dimensions.length === 0
      ? []
      : row(
          t('worlds.fact.dimensions'),
          <ul className={classes['dimensions']}>
            {dimensions.map((dimension) => (
              <li key={dimension.name}>
                {dimensionName(dimension.name)}
                {dimension.bytes !== null && (
                  <span className={classes['muted']}> · {format.bytes(dimension.bytes)}</span>
                )}
              </li>
            ))}
          </ul>,
        )),
    ...row(t('worlds.fact.folder'), <code>{folder}</code>),
  ]
  return <KeyValueList rows={rows} />
}

/** Folded: there are some fifty. */
function Rules({ rules }: { rules: Readonly<Record<string, string>> }) {
  const { t } = useTranslation()
  const all = Object.entries(rules).toSorted(([one], [other]) => one.localeCompare(other))
  return (
    <details className={classes['ruleList']}>
      <summary>{t('worlds.ruleCount', { count: all.length })}</summary>
      <ul>
        {all.map(([name, value]) => (
          <li key={name}>
            <code>
              {name}: {value}
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The game's day begins at six in the morning. */
function dayTime(t: ReturnType<typeof useTranslation>['t'], ticks: number): string {
  const minutes = Math.floor((((ticks % ticksOfDay) + 6_000) % ticksOfDay) * 0.06)
  const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return t('worlds.dayTime', { day: Math.floor(ticks / ticksOfDay) + 1, time })
}

function Actions({
  world,
  isActive,
  onOpen,
}: {
  world: World
  isActive: boolean
  onOpen: (dialog: WorldDialog) => void
}) {
  const { t } = useTranslation()
  const { whyNotNow } = useWorlds()
  const isBedrock = world.layout === 'bedrock'
  const whyBedrock = isBedrock ? t('worlds.because.bedrock') : undefined
  const whyNoLevel = world.level === null ? t('worlds.because.noLevel') : undefined
  const whyNoDimensions = world.dimensions.length === 0 ? t('worlds.because.noDimensions') : undefined
  const whyNewer = world.level?.is_newer === true ? t('worlds.because.newer') : undefined
  const action = (kind: WorldDialog, why: string | undefined) => (
    <Button key={kind} size="small" why={why ?? whyNotNow} onClick={() => onOpen(kind)}>
      {t(`worlds.action.${kind}`)}
    </Button>
  )
  const item = (kind: WorldDialog, why: string | undefined) => {
    const whyNot = why ?? whyNotNow
    return (
      <Menu.Item
        className={classes['item']}
        aria-disabled={whyNot !== undefined || undefined}
        closeMenuOnClick={whyNot === undefined}
        onClick={() => {
          if (whyNot === undefined) onOpen(kind)
        }}
      >
        {t(`worlds.action.${kind}`)}
        {whyNot !== undefined && <small>{whyNot}</small>}
      </Menu.Item>
    )
  }
  return (
    <div className={classes['actions']} role="group" aria-label={t('worlds.actions', { name: world.name })}>
      {!isActive && action('switch', whyNoLevel ?? whyNewer)}
      {action('edit', whyBedrock ?? whyNoLevel)}
      <DownloadButton world={world} />
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon
            className={classes['more']}
            size={32}
            variant="none"
            aria-label={t('worlds.more', { name: world.name })}
          >
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item('duplicate', undefined)}
          {item('rename', undefined)}
          {item('backup', undefined)}
          <Menu.Divider />
          {item('reset', whyBedrock ?? whyNoDimensions)}
          {item('prune', whyBedrock ?? whyNoDimensions)}
          {item('delete', isActive ? t('worlds.because.active') : undefined)}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

function DownloadButton({ world }: { world: World }) {
  const { t } = useTranslation()
  const { server } = useWorlds()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const { url } = await api(downloadWorld, { params: { id: server.id }, body: { world: world.folder } })
      const link = document.createElement('a')
      link.href = url
      link.download = ''
      link.click()
    } catch (error) {
      showErrorToast(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" loading={busy} onClick={() => void download()}>
      {t('worlds.action.download')}
    </Button>
  )
}
