import type { ServerStatus } from '@wakestone/contract/servers/server'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import classes from './server.module.css'

/** How far a new server has come, and what is happening now; or why it could not be made. */
export function PreparationCard({ preparation }: { preparation: ServerStatus['preparation'] }) {
  const { t } = useTranslation()
  if (preparation?.error != null) {
    return (
      <Card title={t('server.preparation.failedTitle')}>
        <ErrorNote error={preparation.error} />
        <p className={classes.note}>{t('server.preparation.failedText')}</p>
      </Card>
    )
  }
  const phase = t(`server.preparation.phase.${preparation?.phase ?? 'queued'}`)
  return (
    <Card title={t('server.preparation.title')}>
      <OperationProgress label={phase} detail={preparation?.item ?? null} progress={preparation?.progress ?? null} />
      <p className={classes.note}>{t('server.preparation.leave')}</p>
    </Card>
  )
}
