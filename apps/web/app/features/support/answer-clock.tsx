import { answerSoonHours } from '@wakestone/contract/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Badge } from '#app/ui/state-badge.tsx'
import { useNow } from '#app/ui/use-now.ts'

const minute = 60_000

/** How long a writer is still to wait for an answer. */
export function AnswerClock({ due }: { due: string | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  if (due === null) return <>–</>
  if (now === null) return <>{format.dateTime(due)}</>
  const left = Date.parse(due) - now
  const words = format.duration(Math.max(60, Math.round(Math.abs(left) / minute) * 60))
  if (left < 0)
    return (
      <Badge colour="ember" shape="triangle" size="small">
        {t('desk.late', { time: words })}
      </Badge>
    )
  return (
    <Badge colour={left < answerSoonHours * 60 * minute ? 'lantern' : 'muted'} shape="ring" size="small">
      {t('desk.left', { time: words })}
    </Badge>
  )
}
