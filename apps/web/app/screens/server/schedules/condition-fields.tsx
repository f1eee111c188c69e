import { NativeSelect } from '@mantine/core'
import type { Schedule } from '@wakestone/contract/servers/schedules'
import { useTranslation } from '#app/i18n/texts.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import classes from './schedules.module.css'

type Conditions = Schedule['conditions']
/** Each of a pair excludes the other. */
const pairs = { game: ['running', 'stopped'], people: ['empty', 'players'] } as const

/** What has to be so when the schedule is due: of opposites one at most. Nobody can play while the game is off. */
export function ConditionFields({
  conditions,
  onChange,
}: {
  conditions: Conditions
  onChange: (conditions: Conditions) => void
}) {
  const { t } = useTranslation()
  const isOff = conditions.includes('stopped')
  return (
    <fieldset className={classes['fieldset']}>
      <legend>{t('schedules.conditions')}</legend>
      <FieldGrid>
        {(Object.keys(pairs) as (keyof typeof pairs)[]).map((pair) => {
          const own: Conditions = [...pairs[pair]]
          const isMoot = pair === 'people' && isOff
          return (
            <NativeSelect
              key={pair}
              label={t(`schedules.conditionOf.${pair}`)}
              value={isMoot ? '' : (conditions.find((one) => own.includes(one)) ?? '')}
              disabled={isMoot}
              description={isMoot ? t('schedules.conditionOf.moot') : undefined}
              data={[
                { value: '', label: t('schedules.conditionOf.any') },
                ...own.map((value) => ({ value, label: t(`schedules.condition.${value}`) })),
              ]}
              onChange={(event) => {
                const chosen = own.filter((one) => one === event.currentTarget.value)
                const others = chosen.includes('stopped') ? [] : conditions.filter((one) => !own.includes(one))
                onChange([...others, ...chosen])
              }}
            />
          )
        })}
      </FieldGrid>
    </fieldset>
  )
}
