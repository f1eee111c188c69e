import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPlayerPlayFilled, IconPlayerStopFilled, IconRefresh, IconSkull } from '@tabler/icons-react'
import { type PanelState, type PowerAction, powerActionsByState } from '@wakestone/contract/states'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { PlayersDialog } from './players-dialog.tsx'
import classes from './power.module.css'
import { powerRefusal } from './power-refusal.ts'
import type { PowerWish } from './use-power.ts'

type Props = {
  name: string
  state: PanelState
  /** It has ended because its contract was withdrawn from. */
  isWithdrawn: boolean
  canPower: boolean
  /** How many are playing now: they are asked for before they are thrown out. */
  players: number
  /** The action whose answer is awaited. */
  pending: PowerAction | null
  onAction: (wish: PowerWish) => Promise<unknown>
}

/** Start, Stop, Restart and, behind the dots, Kill. Which are open is the contract's to say. */
export function PowerControls({ name, state, isWithdrawn, canPower, players, pending, onAction }: Props) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'stop' | 'restart' | null>(null)
  const [isKilling, setKilling] = useState(false)
  const whyNot = (action: PowerAction) => {
    const refusal = powerRefusal(action, state, canPower)
    if (refusal === null) return undefined
    return t(`server.because.${refusal === 'expired' && isWithdrawn ? 'withdrawn' : refusal}`)
  }
  const isOffered = (action: PowerAction) => powerActionsByState[state].includes(action)
  const killRefusal = whyNot('kill')
  // A server that is down has one thing to press; a living one has the others.
  const isDown = isOffered('start') || state === 'preparing' || state === 'expired'
  const act = (action: PowerAction) => void onAction({ action }).catch(() => undefined)
  const actOrAsk = (action: 'stop' | 'restart') => (players > 0 ? setAsked(action) : act(action))
  return (
    <div className={classes.controls}>
      {isDown && (
        <Button
          look="primary"
          why={whyNot('start')}
          loading={pending === 'start'}
          icon={<IconPlayerPlayFilled />}
          onClick={() => act('start')}
        >
          {t('server.start')}
        </Button>
      )}
      {!isDown && (
        <Button
          why={whyNot('restart')}
          loading={pending === 'restart'}
          icon={<IconRefresh />}
          onClick={() => actOrAsk('restart')}
        >
          {t('server.restart')}
        </Button>
      )}
      {(!isDown || isOffered('stop')) && (
        <Button
          className={classes.stop}
          why={whyNot('stop')}
          loading={pending === 'stop'}
          icon={<IconPlayerStopFilled />}
          onClick={() => actOrAsk('stop')}
        >
          {t('server.stop')}
        </Button>
      )}
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon
            className={classes.more}
            size={36}
            variant="none"
            aria-label={t('server.more')}
            loading={pending === 'kill'}
          >
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            className={classes.kill}
            leftSection={<IconSkull size={18} aria-hidden />}
            aria-disabled={killRefusal !== undefined || undefined}
            closeMenuOnClick={killRefusal === undefined}
            onClick={() => {
              if (killRefusal === undefined) setKilling(true)
            }}
          >
            {t('server.kill')}
            <small>{killRefusal ?? t('server.killHint')}</small>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PlayersDialog
        action={asked}
        name={name}
        players={players}
        onClose={() => setAsked(null)}
        onConfirm={(inSeconds) => onAction({ action: asked ?? 'stop', inSeconds })}
      />
      <ConfirmByTyping
        opened={isKilling}
        onClose={() => setKilling(false)}
        title={t('server.killTitle', { name })}
        text={t('server.killText')}
        name={name}
        action={t('server.killConfirm')}
        onConfirm={() => onAction({ action: 'kill' })}
      />
    </div>
  )
}
