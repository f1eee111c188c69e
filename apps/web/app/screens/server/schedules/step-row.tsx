import { ActionIcon, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ScheduleStep, stepKinds } from '@wakestone/contract/servers/schedules'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './schedules.module.css'

/** What a new schedule begins with: players are warned as when the button is pressed. */
export const firstStep = { kind: 'power', action: 'restart', warning_seconds: 300 } as const satisfies ScheduleStep
const warnings = [0, 60, 300, 600] as const

const beginnings: { [Kind in ScheduleStep['kind']]: Extract<ScheduleStep, { kind: Kind }> } = {
  power: firstStep,
  command: { kind: 'command', command: '' },
  message: { kind: 'message', text: '' },
  backup: { kind: 'backup', name: null },
  wait: { kind: 'wait', seconds: 60 },
  webhook: { kind: 'webhook', url: '' },
}

type Props = {
  place: number
  step: ScheduleStep
  error: string | undefined
  onChange: (step: ScheduleStep) => void
  onRemove: (() => void) | null
}

/** One step: what kind, and what it needs. */
export function StepRow({ place, step, error, onChange, onRemove }: Props) {
  const { t } = useTranslation()
  const label = t('schedules.step', { place })
  return (
    <div className={classes['step']}>
      <NativeSelect
        aria-label={label}
        value={step.kind}
        data={stepKinds.map((value) => ({ value, label: t(`schedules.kind.${value}`) }))}
        onChange={(event) => onChange(beginnings[event.currentTarget.value as ScheduleStep['kind']])}
      />
      <StepInput
        label={`${label}: ${t(`schedules.kind.${step.kind}`)}`}
        step={step}
        error={error}
        onChange={onChange}
      />
      {onRemove !== null && (
        <ActionIcon variant="subtle" size={36} aria-label={t('schedules.removeStep', { place })} onClick={onRemove}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

function StepInput({ label, step, error, onChange }: Pick<Props, 'step' | 'error' | 'onChange'> & { label: string }) {
  const { t } = useTranslation()
  switch (step.kind) {
    case 'power':
      return <PowerInput label={label} step={step} onChange={onChange} />
    case 'wait':
      return (
        <NumberInput
          aria-label={label}
          suffix=" s"
          min={1}
          max={3600}
          allowDecimal={false}
          hideControls
          value={step.seconds}
          error={error}
          onChange={(value) => onChange({ ...step, seconds: Number(value) })}
        />
      )
    case 'backup':
      return (
        <TextInput
          aria-label={label}
          placeholder={t('schedules.backupName')}
          value={step.name ?? ''}
          error={error}
          onChange={(event) => onChange({ ...step, name: event.currentTarget.value || null })}
        />
      )
    case 'command':
      return (
        <TextInput
          aria-label={label}
          value={step.command}
          error={error}
          onChange={(event) => onChange({ ...step, command: event.currentTarget.value })}
        />
      )
    case 'message':
      return (
        <TextInput
          aria-label={label}
          value={step.text}
          error={error}
          onChange={(event) => onChange({ ...step, text: event.currentTarget.value })}
        />
      )
    default:
      return (
        <TextInput
          aria-label={label}
          value={step.url}
          error={error}
          onChange={(event) => onChange({ ...step, url: event.currentTarget.value })}
        />
      )
  }
}

function PowerInput({
  label,
  step,
  onChange,
}: {
  label: string
  step: Extract<ScheduleStep, { kind: 'power' }>
  onChange: (step: ScheduleStep) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { action, warning_seconds: seconds = 0 } = step
  // One that came by the API keeps its own time.
  const offered = [...new Set([...warnings, seconds])].toSorted((one, other) => one - other)
  return (
    <div className={classes['power']}>
      <NativeSelect
        aria-label={label}
        value={action}
        data={(['start', 'stop', 'restart'] as const).map((value) => ({ value, label: t(`server.${value}`) }))}
        onChange={(event) => onChange({ ...step, action: event.currentTarget.value as 'start' })}
      />
      {action !== 'start' && (
        <NativeSelect
          aria-label={t('schedules.warning')}
          value={String(seconds)}
          data={offered.map((value) => ({
            value: String(value),
            label:
              value === 0 ? t('schedules.noWarning') : t('schedules.warnFor', { duration: format.duration(value) }),
          }))}
          onChange={(event) => onChange({ ...step, warning_seconds: Number(event.currentTarget.value) })}
        />
      )}
    </div>
  )
}
