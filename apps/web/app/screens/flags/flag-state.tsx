import { Switch } from '@mantine/core'
import { hasNothingToTell } from '@wakestone/contract/site/flags'
import type { FlagState } from '@wakestone/contract/site/flags-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useChangeFlag } from './flag-queries.ts'
import classes from './flags.module.css'

/** On or off, at once. */
export function FlagSwitch({ flag }: { flag: FlagState }) {
  const { t } = useTranslation()
  const change = useChangeFlag()
  const isEmpty = !flag.enabled && hasNothingToTell(flag.key, flag)
  const shown = change.isPending ? change.variables.change.enabled : flag.enabled
  return (
    <Switch
      className={classes['switch'] ?? ''}
      checked={shown ?? flag.enabled}
      disabled={change.isPending || isEmpty}
      description={isEmpty && t('flags.emptyFirst')}
      aria-label={t('flags.switch', { flag: flag.key })}
      onChange={(event) =>
        change.mutate(
          { key: flag.key, change: { enabled: event.currentTarget.checked } },
          { onError: (error) => showErrorToast(error, t('flags.failed', { flag: flag.key })) },
        )
      }
    />
  )
}

export function LastChange({ flag }: { flag: FlagState }) {
  const { t } = useTranslation()
  if (flag.updated_at === null) return <span className={classes['muted']}>{t('flags.never')}</span>
  return (
    <div className={classes['change']}>
      <DateTime value={flag.updated_at} />
      <span className={classes['muted']}>{flag.updated_by ?? t('flags.somebody')}</span>
    </div>
  )
}
