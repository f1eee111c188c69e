import type { ScheduleStep } from '@wakestone/contract/servers/schedules'
import type { useTranslation } from '#app/i18n/texts.tsx'

/** What a step does, in a line. */
export function stepText(t: ReturnType<typeof useTranslation>['t'], step: ScheduleStep): string {
  switch (step.kind) {
    case 'power':
      return t(`schedules.power.${step.action}`)
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
