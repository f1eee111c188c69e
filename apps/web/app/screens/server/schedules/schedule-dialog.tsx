import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ErrorBody } from '@wakestone/contract/errors'
import { type Schedule, scheduleBody, scheduleEvents, type ScheduleStep } from '@wakestone/contract/servers/schedules'
import { changeSchedule, createSchedule } from '@wakestone/contract/servers/schedules-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useTimeZone } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { Segmented } from '#app/ui/segmented.tsx'
import { ClockFields } from './clock-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import classes from './schedules.module.css'
import { firstStep, StepRow } from './step-row.tsx'

type Props = { serverId: string; schedule: Schedule | null; onClose: () => void; onSaved: () => Promise<unknown> }
type Draft = Pick<Schedule, 'name' | 'enabled' | 'trigger' | 'conditions'> & {
  steps: { id: number; step: ScheduleStep }[]
}

/** One reason for each value, by its whole path: what is wrong lies deep in this form. */
const reasonsAt = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message]))

/** The API's paths begin with the part of the request. */
const refusedFields = (body: ErrorBody | undefined) =>
  Object.fromEntries(
    Object.entries(body?.error === 'invalid_request' ? (body.fields ?? {}) : {}).map(([path, reason]) => [
      path.replace(/^body\./, ''),
      String(reason),
    ]),
  )

let stepsMade = 0
const withId = (step: ScheduleStep) => ({ id: ++stepsMade, step })

/** A new schedule, or a changed one. */
export function ScheduleDialog({ serverId, schedule, onClose, onSaved }: Props) {
  const { t } = useTranslation()
  const timeZone = useTimeZone()
  const textOf = useReasonText()
  const firstTriggers = {
    cron: { kind: 'cron', expression: '0 4 * * *', time_zone: timeZone },
    event: { kind: 'event', event: 'started' },
    line: { kind: 'line', text: '', chat: false },
  } as const satisfies { [Kind in Schedule['trigger']['kind']]: Schedule['trigger'] & { kind: Kind } }
  const [draft, setDraft] = useState<Draft>(() => ({
    name: schedule?.name ?? '',
    enabled: schedule?.enabled ?? true,
    trigger: schedule?.trigger ?? firstTriggers.cron,
    conditions: schedule?.conditions ?? [],
    steps: (schedule?.steps ?? [firstStep]).map(withId),
  }))
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { trigger, steps, conditions } = draft
  const errorOf = (name: string) => textOf(reasons[name])

  const save = async () => {
    const body = { ...draft, steps: steps.map(({ step }) => step) }
    const parsed = scheduleBody.safeParse(body)
    setFailure(undefined)
    if (!parsed.success) return setReasons(reasonsAt(parsed.error.issues))
    setReasons({})
    setBusy(true)
    try {
      if (schedule === null) await api(createSchedule, { params: { id: serverId }, body: parsed.data })
      else await api(changeSchedule, { params: { id: serverId, schedule_id: schedule.id }, body: parsed.data })
      await onSaved()
      onClose()
    } catch (error) {
      const found = refusedFields(errorBodyOf(error))
      setReasons(found)
      if (Object.keys(found).length === 0) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      wide
      onClose={onClose}
      title={t(schedule === null ? 'schedules.add' : 'schedules.edit')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" loading={busy} onClick={() => void save()}>
            {t('settings.save')}
          </Button>
        </>
      }
    >
      <div className={classes['form']}>
        <TextInput
          label={t('schedules.name')}
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Segmented
          even
          label={t('schedules.when')}
          options={[
            { value: 'cron', label: t('schedules.atTimes') },
            { value: 'event', label: t('schedules.afterEvent') },
            { value: 'line', label: t('schedules.afterLine') },
          ]}
          value={trigger.kind}
          onChange={(kind) => change({ trigger: firstTriggers[kind] })}
        />
        {trigger.kind === 'cron' ? (
          <ClockFields
            clock={trigger}
            error={errorOf('trigger.expression')}
            onChange={(clock) => change({ trigger: clock })}
          />
        ) : trigger.kind === 'line' ? (
          <>
            <TextInput
              label={t('schedules.line')}
              description={t('schedules.lineHint')}
              spellCheck={false}
              value={trigger.text}
              error={errorOf('trigger.text')}
              onChange={(event) => change({ trigger: { ...trigger, text: event.currentTarget.value } })}
            />
            <Switch
              label={t('schedules.chat')}
              description={t('schedules.chatHint')}
              checked={trigger.chat}
              onChange={(event) => change({ trigger: { ...trigger, chat: event.currentTarget.checked } })}
            />
          </>
        ) : (
          <NativeSelect
            label={t('schedules.after')}
            value={trigger.event}
            data={scheduleEvents.map((value) => ({ value, label: t(`schedules.event.${value}`) }))}
            onChange={(event) =>
              change({
                trigger: { kind: 'event', event: event.currentTarget.value as (typeof scheduleEvents)[number] },
              })
            }
          />
        )}
        <ConditionFields conditions={conditions} onChange={(value) => change({ conditions: value })} />
        <fieldset className={classes['fieldset']}>
          <legend>{t('schedules.steps')}</legend>
          {steps.map(({ id, step }, index) => (
            <StepRow
              key={id}
              place={index + 1}
              step={step}
              error={textOf(Object.entries(reasons).find(([name]) => name.startsWith(`steps.${index}.`))?.[1])}
              onChange={(next) => change({ steps: steps.map((one) => (one.id === id ? { id, step: next } : one)) })}
              onRemove={steps.length > 1 ? () => change({ steps: steps.filter((one) => one.id !== id) }) : null}
            />
          ))}
          <Button
            size="small"
            icon={<IconPlus />}
            why={steps.length >= 20 ? t('schedules.stepsFull') : undefined}
            onClick={() => change({ steps: [...steps, withId({ kind: 'wait', seconds: 60 })] })}
          >
            {t('schedules.addStep')}
          </Button>
        </fieldset>
        <Switch
          label={t('schedules.enabled')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
