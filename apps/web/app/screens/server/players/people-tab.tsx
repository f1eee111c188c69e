import { IconMessage, IconUserOff } from '@tabler/icons-react'
import type { KnownPlayer, Players } from '@wakestone/contract/servers/players'
import type { Server } from '@wakestone/contract/servers/server'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { ActionDialog, type ActionKind } from './action-dialog.tsx'
import { BanDialog } from './list-dialogs.tsx'
import classes from './players.module.css'
import type { Rights } from './use-act.ts'

type Props = { server: Server; identity: string; players: Players; rights: Rights }
const shownAtOnce = 200

/** Those who are on with what can be done about them, then everybody who ever came. */
export function PeopleTab({ server, identity, players, rights }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [open, setOpen] = useState<{ kind: ActionKind | 'ban'; name: string } | null>(null)
  const [sought, setSought] = useState('')
  const why = rights.canAct ? undefined : t('players.because.rights')
  const { online, known } = players
  const matching = known.filter(({ name, id }) =>
    (name ?? id ?? '').toLowerCase().includes(sought.trim().toLowerCase()),
  )
  const found = matching.slice(0, shownAtOnce)
  return (
    <div className={classes['cards']}>
      <Card title={t('players.online')} beside={<span className="tabular">{online.length}</span>}>
        {online.length === 0 ? (
          <p className={classes['muted']}>{t('players.nobodyOn')}</p>
        ) : (
          <ul className={classes['list']}>
            {online.map(({ name, since }) => (
              <li key={name} className={classes['row']}>
                <NamePixels name={name} size={32} />
                <div className={classes['words']}>
                  <PlayerName server={server} identity={identity} players={players} name={name} rights={rights} />
                  {since !== null && (
                    <span className={classes['muted']}>
                      {t('players.since')} <DateTime value={since} />
                    </span>
                  )}
                </div>
                <div className={classes['actions']}>
                  {(['message', 'teleport', 'game_mode', 'kick'] as const).map((kind) => (
                    <Button
                      key={kind}
                      size="small"
                      why={why}
                      icon={kind === 'message' ? <IconMessage /> : undefined}
                      aria-label={t(`players.actOn.${kind}`, { name })}
                      onClick={() => setOpen({ kind, name })}
                    >
                      {t(`players.act.${kind}`)}
                    </Button>
                  ))}
                  {players.edition === 'java' && (
                    <Button
                      size="small"
                      look="danger"
                      why={why}
                      icon={<IconUserOff />}
                      aria-label={t('players.actOn.ban', { name })}
                      onClick={() => setOpen({ kind: 'ban', name })}
                    >
                      {t('players.act.ban')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t('players.known')} beside={players.truncated ? t('players.more') : undefined} padded={false}>
        {known.length > 10 && (
          <TextInput
            className={classes['search'] ?? ''}
            label={t('players.search')}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <DataTable
          label={t('players.known')}
          rows={found}
          rowKey={({ id, name }) => `${id} ${name}`}
          columns={columnsOf(t, format, identity, rights)}
          empty={<EmptyState title={t('players.emptyTitle')} text={t('players.emptyText')} figure="none" />}
        />
        {matching.length > shownAtOnce && (
          <p className={classes['cut']} role="status">
            {t('players.cut', { shown: format.number(shownAtOnce), count: matching.length })}
          </p>
        )}
      </Card>
      {open !== null && open.kind !== 'ban' && (
        <ActionDialog
          serverId={server.id}
          kind={open.kind}
          name={open.name}
          others={online.map(({ name }) => name).filter((name) => name !== open.name)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'ban' && <BanDialog serverId={server.id} name={open.name} onClose={() => setOpen(null)} />}
    </div>
  )
}

function PlayerName({ identity, players, name, rights }: Props & { name: string }) {
  const known = players.known.find((one) => one.name === name)
  return known?.id != null && rights.canAct && players.edition === 'java' ? (
    <Link className={classes['name']} to={`/s/${identity}/players/${known.id}`}>
      {name}
    </Link>
  ) : (
    <b>{name}</b>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']
type Format = ReturnType<typeof useFormat>

function columnsOf(t: Translate, format: Format, identity: string, rights: Rights): Column<KnownPlayer>[] {
  return [
    {
      key: 'name',
      header: t('players.name'),
      phone: 'title',
      cell: ({ id, name, has_data }) =>
        id !== null && has_data && rights.canAct ? (
          <Link className={classes['name']} to={`/s/${identity}/players/${id}`}>
            {name ?? id}
          </Link>
        ) : (
          <span>{name ?? id}</span>
        ),
    },
    {
      key: 'played',
      header: t('players.played'),
      align: 'end',
      cell: ({ played_seconds }) => (played_seconds === null ? '–' : format.duration(played_seconds)),
    },
    {
      key: 'first',
      header: t('players.firstSeen'),
      cell: ({ first_seen }) => (first_seen === null ? '–' : <DateTime value={first_seen} />),
    },
    {
      key: 'last',
      header: t('players.lastSeen'),
      cell: ({ last_seen }) => (last_seen === null ? '–' : <DateTime value={last_seen} />),
    },
  ]
}
