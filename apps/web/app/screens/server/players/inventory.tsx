import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  changePlayerBody,
  type itemContainers,
  type PlayerData,
  type PlayerStack,
} from '@wakestone/contract/servers/players'
import { changePlayer } from '@wakestone/contract/servers/players-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { itemName, slotGroups } from './slots.ts'
import classes from './players.module.css'
import { playerChanged } from './players-queries.ts'
import { useAct } from './use-act.ts'

type Container = (typeof itemContainers)[number]
type Place = { container: Container; slot: number }
type Props = { serverId: string; playerId: string; data: PlayerData; why: string | undefined }

/** What somebody carries and has put aside: a tile for each slot, with words instead of pictures. */
export function Inventory({ serverId, playerId, data, why }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Place | null>(null)
  const stackIn = ({ container, slot }: Place) => data[container].find((stack) => stack.slot === slot)
  return (
    <>
      {(['inventory', 'ender_chest'] as const).map((container) => (
        <Card key={container} title={t(`players.containers.${container}`)}>
          <div className={classes['groups']}>
            {slotGroups[container].map(({ name, slots }) => (
              <section key={name} aria-label={t(`players.slots.${name}`)}>
                <h3 className={classes['group']}>{t(`players.slots.${name}`)}</h3>
                <ul className={classes['slots']}>
                  {slots.map((slot) => (
                    <li key={slot}>
                      <Slot
                        slot={slot}
                        stack={stackIn({ container, slot })}
                        onOpen={() => setOpen({ container, slot })}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </Card>
      ))}
      {open !== null && (
        <ItemDialog
          serverId={serverId}
          playerId={playerId}
          revision={data.revision}
          place={open}
          stack={stackIn(open)}
          why={why}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function Slot({ slot, stack, onOpen }: { slot: number; stack: PlayerStack | undefined; onOpen: () => void }) {
  const { t } = useTranslation()
  if (stack === undefined)
    return (
      <button
        type="button"
        className={classes['slot']}
        aria-label={t('players.emptySlot', { slot })}
        onClick={onOpen}
      />
    )
  const name = stack.name ?? itemName(stack.id)
  return (
    <button
      type="button"
      className={classes['slot']}
      data-special={stack.special}
      title={stack.id}
      aria-label={t('players.slotOf', { slot, name, count: stack.count })}
      onClick={onOpen}
    >
      <span className={classes['item']}>{name}</span>
      {stack.count !== 1 && <span className={classes['count']}>{stack.count}</span>}
    </button>
  )
}

function ItemDialog({
  serverId,
  playerId,
  revision,
  place,
  stack,
  why,
  onClose,
}: {
  serverId: string
  playerId: string
  revision: string
  place: Place
  stack: PlayerStack | undefined
  why: string | undefined
  onClose: () => void
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { busy, failure, act } = useAct()
  const [id, setId] = useState(stack?.id ?? 'minecraft:')
  const [count, setCount] = useState(String(stack?.count ?? 1))
  const [wrong, setWrong] = useState<readonly string[]>([])
  const save = async (item: { id: string; count: number } | null) => {
    const parsed = changePlayerBody.safeParse({ revision, items: [{ ...place, item }] })
    setWrong(parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path.at(-1))))
    if (!parsed.success) return
    const isDone = await act(async () => {
      await api(changePlayer, { params: { id: serverId, player_id: playerId }, body: parsed.data })
      await playerChanged(queries, serverId, playerId)
    })
    if (isDone) onClose()
  }
  const isOld = stack?.id.startsWith('legacy:') ?? false
  const refusal = why ?? (isOld ? t('players.because.old') : undefined)
  return (
    <Modal
      opened
      onClose={onClose}
      title={stack === undefined ? t('players.putItem') : (stack.name ?? itemName(stack.id))}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          {stack !== undefined && (
            <Button look="danger" why={refusal} loading={busy} onClick={() => void save(null)}>
              {t('players.takeItem')}
            </Button>
          )}
          <Button
            look="primary"
            why={refusal}
            loading={busy}
            onClick={() => void save({ id: id.trim().toLowerCase(), count: Number(count) })}
          >
            {t('settings.save')}
          </Button>
        </>
      }
    >
      <div className={classes['form']}>
        {refusal !== undefined && <p className={classes['muted']}>{refusal}</p>}
        <TextInput
          label={t('players.item')}
          description={t('players.itemHint')}
          spellCheck={false}
          autoComplete="off"
          value={id}
          readOnly={refusal !== undefined}
          error={wrong.includes('id') ? t('fields.invalid') : undefined}
          onChange={(event) => setId(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label={t('players.count')}
          inputMode="numeric"
          value={count}
          readOnly={refusal !== undefined}
          error={wrong.includes('count') ? t('fields.invalid') : undefined}
          onChange={(event) => setCount(event.currentTarget.value)}
        />
        {stack !== undefined && stack.enchantments.length > 0 && (
          <div>
            <b>{t('players.enchantments')}</b>
            <ul className={classes['enchantments']}>
              {stack.enchantments.map((enchantment) => (
                <li key={enchantment.id}>
                  {itemName(enchantment.id)} {enchantment.level}
                </li>
              ))}
            </ul>
          </div>
        )}
        {stack !== undefined && stack.damage > 0 && (
          <p className={classes['muted']}>{t('players.damage', { count: stack.damage })}</p>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
