import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import type { ListChange, Players } from '@wakestone/contract/servers/players'
import { changeOperators, changePlayerList } from '@wakestone/contract/servers/players-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { type ReactNode, useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { AllowDialog, BanDialog, OperatorDialog } from './list-dialogs.tsx'
import classes from './players.module.css'
import { playersChanged } from './players-queries.ts'
import { type Rights, useAct } from './use-act.ts'

type Dialog = 'allow' | 'operator' | 'ban' | 'address'

/** Whom the game lets in, who may command it, and who may not come. */
export function ListsTab({ server, players, rights }: { server: Server; players: Players; rights: Rights }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [open, setOpen] = useState<Dialog | null>(null)
  const [doing, setDoing] = useState<string | null>(null)
  const { failure, act } = useAct()
  const params = { id: server.id }
  const between = players.changed_by === null ? t('players.because.between') : undefined
  const why = rights.canAct ? between : t('players.because.rights')
  const whyOperators = rights.canOperate ? between : t('players.because.operators')
  const run = (key: string, work: () => Promise<unknown>) => {
    setDoing(key)
    void act(async () => {
      await work()
      await playersChanged(queries, server.id)
    }).finally(() => setDoing(null))
  }
  const change = (key: string, body: ListChange) => run(key, () => api(changePlayerList, { params, body }))
  const remove = (key: string, label: string, refusal: string | undefined, onClick: () => void, text?: string) => (
    <Button size="small" loading={doing === key} why={refusal} aria-label={label} onClick={onClick}>
      {text ?? t('players.remove')}
    </Button>
  )
  const add = (dialog: Dialog, label: string, refusal = why) => (
    <Button size="small" icon={<IconPlus />} why={refusal} onClick={() => setOpen(dialog)}>
      {label}
    </Button>
  )
  const banWords = ({
    reason,
    until,
    created_at,
  }: Players['bans'][number] | NonNullable<Players['address_bans']>[number]) => (
    <>
      {reason !== '' && <span>{reason}</span>}
      <span className={classes['muted']}>
        {created_at !== null && (
          <>
            {t('players.since')} <DateTime value={created_at} />
            {' · '}
          </>
        )}
        {until === null ? (
          t('players.durations.forever')
        ) : (
          <>
            {t('players.until')} <DateTime value={until} />
          </>
        )}
      </span>
    </>
  )
  return (
    <div className={classes['cards']}>
      {players.changed_by !== null && (
        <p className={classes['muted']}>{t(`players.changedBy.${players.changed_by}`)}</p>
      )}
      {failure !== undefined && <ErrorNote error={failure} />}
      <Card title={t('players.whitelist')} beside={add('allow', t('players.allow'))}>
        <Switch
          className={classes['switch'] ?? ''}
          label={t('players.whitelistOn')}
          description={t('players.whitelistHint')}
          checked={players.whitelist_on}
          disabled={why !== undefined || doing === 'state'}
          onChange={(event) => change('state', { list: 'whitelist_state', on: event.currentTarget.checked })}
        />
        <List empty={t('players.noWhitelist')}>
          {players.whitelist.map(({ name }) => (
            <Entry key={name} name={name}>
              {remove(`w ${name}`, t('players.disallow', { name }), why, () =>
                change(`w ${name}`, { list: 'whitelist', action: 'remove', name }),
              )}
            </Entry>
          ))}
        </List>
      </Card>
      <Card title={t('players.operators')} beside={add('operator', t('players.makeOperator'), whyOperators)}>
        <List empty={t('players.noOperators')}>
          {players.operators.map(({ id, name, level }) => (
            <Entry
              key={id}
              name={name ?? id}
              words={
                players.edition === 'java' && (
                  <span className={classes['muted']}>{t('players.levelIs', { level })}</span>
                )
              }
            >
              {name !== null &&
                remove(`o ${id}`, t('players.noOperator', { name }), whyOperators, () =>
                  run(`o ${id}`, () => api(changeOperators, { params, body: { action: 'remove', name } })),
                )}
            </Entry>
          ))}
        </List>
      </Card>
      {players.edition === 'java' && (
        <Card title={t('players.bans')} beside={add('ban', t('players.banPlayer'))}>
          <List empty={t('players.noBans')}>
            {players.bans.map((ban) => (
              <Entry key={ban.id} name={ban.name} words={banWords(ban)}>
                {remove(
                  `b ${ban.id}`,
                  t('players.unbanOf', { name: ban.name }),
                  why,
                  () => change(`b ${ban.id}`, { list: 'pardons', action: 'add', name: ban.name }),
                  t('players.unban'),
                )}
              </Entry>
            ))}
          </List>
        </Card>
      )}
      {players.edition === 'java' && players.address_bans !== null && (
        <Card title={t('players.addressBans')} beside={add('address', t('players.banAddress'))}>
          <List empty={t('players.noAddressBans')}>
            {players.address_bans.map((ban) => (
              <Entry key={ban.ip} name={ban.ip} words={banWords(ban)}>
                {remove(
                  `a ${ban.ip}`,
                  t('players.unbanOf', { name: ban.ip }),
                  why,
                  () => change(`a ${ban.ip}`, { list: 'address_pardons', action: 'add', ip: ban.ip }),
                  t('players.unban'),
                )}
              </Entry>
            ))}
          </List>
        </Card>
      )}
      {open === 'allow' && <AllowDialog serverId={server.id} onClose={() => setOpen(null)} />}
      {open === 'operator' && (
        <OperatorDialog serverId={server.id} withLevel={players.takes_levels} onClose={() => setOpen(null)} />
      )}
      {(open === 'ban' || open === 'address') && (
        <BanDialog serverId={server.id} address={open === 'address'} onClose={() => setOpen(null)} />
      )}
    </div>
  )
}

function List({ empty, children }: { empty: string; children: ReactNode[] }) {
  return children.length === 0 ? (
    <p className={classes['muted']}>{empty}</p>
  ) : (
    <ul className={classes['list']}>{children}</ul>
  )
}

function Entry({ name, words, children }: { name: string; words?: ReactNode; children?: ReactNode }) {
  return (
    <li className={classes['entry']}>
      <div className={classes['words']}>
        <b>{name}</b>
        {words}
      </div>
      {children}
    </li>
  )
}
