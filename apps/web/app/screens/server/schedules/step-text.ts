import type { ScheduleStep } from '@wakestone/contract/servers/schedules'
import type { useTranslation } from '#app/i18n/texts.tsx'
import type { useFormat } from '#app/i18n/use-format.ts'

/** What a step does, in a line. */
export function stepText(
  t: ReturnType<typeof useTranslation>['t'],
  step: ScheduleStep,
  format: Pick<ReturnType<typeof useFormat>, 'duration'>,
): string {
  switch (step.kind) {
    case 'power': {
      const text = t(`schedules.power.${step.action}`)
      const { action, warning_seconds: seconds = 0 } = step
      return action === 'start' || seconds === 0
        ? text
        : t('schedules.stepWarned', { step: text, duration: format.duration(seconds) })
    }
    case 'command':
      return t('schedules.stepCommand', { command: step.command })
    case 'message':
      return t('schedules.stepMessage', { text: step.text })
    case 'backup':
      return step.name === null ? t('schedules.stepBackup') : t('schedules.stepBackupNamed', { name: step.name })
    case 'wait':
      return t('schedules.stepWait', { seconds: step.seconds })
    default:
      return t('schedules.stepWebhook', { url: step.url })
  }
}
