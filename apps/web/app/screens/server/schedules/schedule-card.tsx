import { Switch } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type Schedule, scheduleBody } from '@wakestone/contract/servers/schedules'
import { changeSchedule, deleteSchedule, runSchedule } from '@wakestone/contract/servers/schedules-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import classes from './schedules.module.css'
import { rhythmOf, spokenTime } from './rhythm.ts'
import { stepText } from './step-text.ts'

type Props = { serverId: string; schedule: Schedule; onEdit: () => void; onChanged: () => Promise<unknown> }

/** One schedule: when, what, when next, and what came of the last times. */
export function ScheduleCard({ serverId, schedule, onEdit, onChanged }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isDeleting, setDeleting] = useState(false)
  const [busy, setBusy] = useState<'run' | 'switch' | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const params = { id: serverId, schedule_id: schedule.id }
  const { trigger, steps, next_runs, last_runs, enabled, conditions } = schedule
  const attempt = async (what: 'run' | 'switch', work: () => Promise<unknown>) => {
    setBusy(what)
    setFailure(undefined)
    try {
      await work()
      await onChanged()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const turn = () => api(changeSchedule, { params, body: scheduleBody.parse({ ...schedule, enabled: !enabled }) })
  return (
    <Card
      title={schedule.name}
      beside={
        <Switch
          label={t(enabled ? 'schedules.on' : 'schedules.off')}
          aria-label={`${schedule.name}: ${t(enabled ? 'schedules.on' : 'schedules.off')}`}
          labelPosition="left"
          checked={enabled}
          disabled={busy === 'switch'}
          onChange={() => void attempt('switch', turn)}
        />
      }
    >
      <div className={classes['parts']}>
        <p>
          {trigger.kind === 'cron' ? (
            <>
              <Times expression={trigger.expression} /> <span className={classes['muted']}>{trigger.time_zone}</span>
            </>
          ) : trigger.kind === 'line' ? (
            t('schedules.lineIs', { text: trigger.text })
          ) : (
            t(`schedules.event.${trigger.event}`)
          )}
          {conditions.length > 0 && (
            <span className={classes['muted']}>
              {' · '}
              {conditions.map((condition) => t(`schedules.condition.${condition}`)).join(', ')}
            </span>
          )}
        </p>
        <ol className={classes['steps']}>
          {steps.map((step, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- steps have nothing else, and their order is what they are
            <li key={index}>{stepText(t, step, format)}</li>
          ))}
        </ol>
        {next_runs.length > 0 && (
          <p className={`${classes['muted']} ${classes['times']}`}>
            <span>{t('schedules.next')}</span>
            {next_runs.map((time) => (
              <time key={time} dateTime={time}>
                {format.dateTime(time)}
              </time>
            ))}
          </p>
        )}
        {last_runs.length === 0 ? (
          <p className={classes['muted']}>{t('schedules.neverRan')}</p>
        ) : (
          <ul aria-label={t('schedules.lastRuns')} className={classes['runs']}>
            {last_runs.map((run, index) => (
              <li key={run.id}>
                {index === 0 && <span>{t('schedules.lastRun')}</span>}
                <time dateTime={run.started_at}>{format.dateTime(run.started_at)}</time>
                <span data-state={run.state}>{t(`schedules.state.${run.state}`)}</span>
                {run.error !== null && <RunError error={run.error} step={run.step} />}
              </li>
            ))}
          </ul>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['actions']}>
          <Button
            size="small"
            icon={<IconPlayerPlay />}
            loading={busy === 'run'}
            onClick={() => void attempt('run', () => api(runSchedule, { params }))}
          >
            {t('schedules.runNow')}
          </Button>
          <Button size="small" look="quiet" icon={<IconPencil />} onClick={onEdit}>
            {t('schedules.edit')}
          </Button>
          <Button size="small" look="quiet" icon={<IconTrash />} onClick={() => setDeleting(true)}>
            {t('schedules.delete')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('schedules.deleteTitle', { name: schedule.name })}
        text={t('schedules.deleteText')}
        action={t('schedules.delete')}
        onConfirm={async () => {
          await api(deleteSchedule, { params })
          await onChanged()
        }}
      />
    </Card>
  )
}

/** Usual times in words, others as they were written. */
function Times({ expression }: { expression: string }) {
  const { t } = useTranslation()
  const rhythm = rhythmOf(expression)
  if (rhythm === undefined) return <code>{expression}</code>
  const time = spokenTime(rhythm.time)
  if (rhythm.every === 'daily') return t('schedules.daily', { time })
  if (rhythm.every === 'weekly') return t(`schedules.weekly.${rhythm.day}`, { time })
  return t(`schedules.presets.${rhythm.every}`)
}

/** A code of the catalogue in words; what a webhook answered as it is. */
function RunError({ error, step }: { error: string; step: number }) {
  const { t } = useTranslation()
  const { text } = useErrorText(error)
  return (
    <span>
      {t('schedules.atStep', { step })} {error.startsWith('HTTP ') ? error : text}
    </span>
  )
}
