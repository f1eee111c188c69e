import { NativeSelect, TextInput } from '@mantine/core'
import type { Schedule } from '@wakestone/contract/servers/schedules'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { everies, expressionOf, type Rhythm, rhythmOf, weekdays } from './rhythm.ts'

type Clock = Extract<Schedule['trigger'], { kind: 'cron' }>

/** At what times, in which time zone: chosen, or written as cron where none of the usual ones fits. */
export function ClockFields({
  clock,
  error,
  onChange,
}: {
  clock: Clock
  error: string | undefined
  onChange: (clock: Clock) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useReasonText()
  const [chosen, setChosen] = useState<Rhythm | null>(() => rhythmOf(clock.expression) ?? null)
  const choose = (rhythm: Rhythm) => {
    setChosen(rhythm)
    onChange({ ...clock, expression: expressionOf(rhythm) })
  }
  const zone = t('schedules.zone', { zone: clock.time_zone })
  return (
    <FieldGrid>
      <NativeSelect
        label={t('schedules.preset')}
        value={chosen?.every ?? ''}
        data={[
          ...everies.map((value) => ({ value, label: t(`schedules.presets.${value}`) })),
          { value: '', label: t('schedules.presets.own') },
        ]}
        onChange={(event) => {
          const every = everies.find((one) => one === event.currentTarget.value)
          if (every === undefined) setChosen(null)
          else choose({ time: '04:00', day: 1, ...chosen, every })
        }}
      />
      {chosen === null && (
        <TextInput
          label={t('schedules.expression')}
          description={`${t('schedules.expressionHint')} ${zone}`}
          spellCheck={false}
          value={clock.expression}
          error={error}
          onChange={(event) => onChange({ ...clock, expression: event.currentTarget.value })}
        />
      )}
      {chosen?.every === 'weekly' && (
        <NativeSelect
          label={t('schedules.day')}
          value={String(chosen.day)}
          data={weekdays.map((day) => ({ value: String(day), label: format.weekday(day) }))}
          onChange={(event) =>
            choose({ ...chosen, day: weekdays.find((day) => String(day) === event.currentTarget.value) ?? chosen.day })
          }
        />
      )}
      {(chosen?.every === 'daily' || chosen?.every === 'weekly') && (
        <TextInput
          type="time"
          label={t('schedules.time')}
          description={zone}
          value={chosen.time}
          error={error && textOf('required')}
          onChange={(event) => choose({ ...chosen, time: event.currentTarget.value })}
        />
      )}
    </FieldGrid>
  )
}
