import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { changePlayerBody, type PlayerData, playerGameModes } from '@wakestone/contract/servers/players'
import { changePlayer } from '@wakestone/contract/servers/players-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useDimensionName } from '#app/features/servers/dimension-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './players.module.css'
import { playerChanged } from './players-queries.ts'
import { useAct } from './use-act.ts'

const numbers = ['health', 'food', 'level'] as const
const axes = ['x', 'y', 'z'] as const
type Field = (typeof numbers)[number] | (typeof axes)[number]
const typed = (value: number | null | undefined) => (value == null ? '' : String(Math.round(value * 1000) / 1000))

/** How somebody is and where. What the file does not have cannot be set. */
export function VitalsForm({
  serverId,
  playerId,
  data,
  why,
}: {
  serverId: string
  playerId: string
  data: PlayerData
  /** Why nothing can be changed now. */
  why: string | undefined
}) {
  const { t } = useTranslation()
  const dimensionName = useDimensionName()
  const queries = useQueryClient()
  const { busy, failure, act } = useAct()
  const [wrong, setWrong] = useState<readonly string[]>([])
  const first: Record<Field, string> = {
    health: typed(data.health),
    food: typed(data.food),
    level: typed(data.level),
    x: typed(data.position?.x),
    y: typed(data.position?.y),
    z: typed(data.position?.z),
  }
  const [values, setValues] = useState(first)
  const [mode, setMode] = useState(data.game_mode)
  const numberOf = (field: Field) =>
    values[field].trim() === '' ? Number.NaN : Number(values[field].replace(',', '.'))
  const isChanged = (field: Field) => values[field] !== first[field]
  const save = async () => {
    const body = {
      revision: data.revision,
      ...Object.fromEntries(numbers.filter(isChanged).map((field) => [field, numberOf(field)])),
      ...(axes.some(isChanged) && { position: Object.fromEntries(axes.map((axis) => [axis, numberOf(axis)])) }),
      ...(mode !== null && mode !== data.game_mode && { game_mode: mode }),
    }
    const parsed = changePlayerBody.safeParse(body)
    setWrong(parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path.at(-1))))
    if (!parsed.success) return
    await act(async () => {
      await api(changePlayer, { params: { id: serverId, player_id: playerId }, body: parsed.data })
      await playerChanged(queries, serverId, playerId)
    })
  }
  const field = (name: Field, isThere: boolean) => (
    <TextInput
      key={name}
      label={name.length === 1 ? name.toUpperCase() : t(`players.vitals.${name as (typeof numbers)[number]}`)}
      inputMode="decimal"
      value={values[name]}
      readOnly={why !== undefined || !isThere}
      error={wrong.includes(name) ? t('fields.invalid') : undefined}
      onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
    />
  )
  return (
    <Card title={t('players.state')} beside={data.dimension === null ? undefined : dimensionName(data.dimension)}>
      <div className={classes['form']}>
        {why !== undefined && <p className={classes['muted']}>{why}</p>}
        <div className={classes['vitals']}>
          {numbers.map((name) => field(name, data[name] !== null))}
          {axes.map((name) => field(name, data.position !== null))}
          <NativeSelect
            label={t('players.gameMode')}
            value={mode ?? ''}
            disabled={why !== undefined || data.game_mode === null}
            data={[
              ...(data.game_mode === null ? [{ value: '', label: '–' }] : []),
              ...playerGameModes.map((value) => ({ value, label: t(`players.modes.${value}`) })),
            ]}
            onChange={(event) => setMode(playerGameModes.find((one) => one === event.currentTarget.value) ?? null)}
          />
        </div>
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['send']}>
          <Button look="primary" why={why} loading={busy} onClick={() => void save()}>
            {t('settings.save')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
