import { NativeSelect, TextInput } from '@mantine/core'
import { type PlayerAction, playerActionBody, playerGameModes, playerLimits } from '@wakestone/contract/servers/players'
import { actOnPlayer } from '@wakestone/contract/servers/players-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import classes from './players.module.css'
import { useAct } from './use-act.ts'

export type ActionKind = PlayerAction['action']
const axes = ['x', 'y', 'z'] as const

/** One thing that is done about a player who is on. */
export function ActionDialog({
  serverId,
  kind,
  name,
  others,
  onClose,
}: {
  serverId: string
  kind: ActionKind
  name: string
  /** Who else is on. */
  others: readonly string[]
  onClose: () => void
}) {
  const { t } = useTranslation()
  const textOf = useReasonText()
  const { busy, failure, act } = useAct()
  const [words, setWords] = useState('')
  const [mode, setMode] = useState<(typeof playerGameModes)[number]>('survival')
  const [target, setTarget] = useState('')
  const [spot, setSpot] = useState({ x: '0', y: '80', z: '0' })
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const bodyOf = (): unknown => {
    switch (kind) {
      case 'kick':
        return { action: kind, name, reason: words }
      case 'message':
        return { action: kind, name, text: words }
      case 'game_mode':
        return { action: kind, name, mode }
      case 'teleport': {
        const to = target === '' ? Object.fromEntries(axes.map((axis) => [axis, Number(spot[axis])])) : { name: target }
        return { action: kind, name, to }
      }
    }
  }
  const send = async () => {
    const parsed = playerActionBody.safeParse(bodyOf())
    setWrong(undefined)
    if (!parsed.success) return setWrong(words === '' && kind === 'message' ? 'required' : 'one_line')
    if (await act(() => api(actOnPlayer, { params: { id: serverId }, body: parsed.data }))) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`players.actOn.${kind}`, { name })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" loading={busy} onClick={() => void send()}>
            {t(`players.act.${kind}`)}
          </Button>
        </>
      }
    >
      <div className={classes['form']}>
        {(kind === 'kick' || kind === 'message') && (
          <TextInput
            label={t(kind === 'kick' ? 'players.reason' : 'players.message')}
            maxLength={playerLimits.textLength}
            value={words}
            error={textOf(wrong)}
            data-autofocus
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        {kind === 'game_mode' && (
          <NativeSelect
            label={t('players.gameMode')}
            value={mode}
            data={playerGameModes.map((value) => ({ value, label: t(`players.modes.${value}`) }))}
            onChange={(event) => setMode(playerGameModes.find((one) => one === event.currentTarget.value) ?? mode)}
          />
        )}
        {kind === 'teleport' && (
          <>
            <NativeSelect
              label={t('players.whereTo')}
              value={target}
              data={[
                { value: '', label: t('players.toPlace') },
                ...others.map((one) => ({ value: one, label: t('players.toPlayer', { name: one }) })),
              ]}
              onChange={(event) => setTarget(event.currentTarget.value)}
            />
            {target === '' && (
              <div className={classes['spot']}>
                {axes.map((axis) => (
                  <TextInput
                    key={axis}
                    label={axis.toUpperCase()}
                    inputMode="decimal"
                    value={spot[axis]}
                    onChange={(event) => setSpot({ ...spot, [axis]: event.currentTarget.value })}
                  />
                ))}
              </div>
            )}
            {wrong !== undefined && <p role="alert">{t('fields.invalid')}</p>}
          </>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
