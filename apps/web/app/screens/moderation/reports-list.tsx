import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { closeProjectReport, listProjectReports } from '@wakestone/contract/marketplace/moderation-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './moderation.module.css'
import { reportsQuery } from './moderation-queries.ts'

/** What people have reported and nobody has closed. */
export function ReportsList() {
  const { t } = useTranslation()
  const path = usePath()
  const queries = useQueryClient()
  const [closing, setClosing] = useState<string>()
  const { data, error, refetch } = useQuery(reportsQuery())
  if (data === undefined)
    return error === null ? (
      <Skeleton height={200} radius={12} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (data.length === 0)
    return (
      <Card>
        <EmptyState title={t('moderation.noReports')} text={t('moderation.noReportsText')} figure="cat" />
      </Card>
    )
  const close = async (reportId: string) => {
    setClosing(reportId)
    try {
      await api(closeProjectReport, { params: { reportId } })
      await makeStale(queries, answersOf(listProjectReports))
    } catch (failure) {
      showErrorToast(failure)
    } finally {
      setClosing(undefined)
    }
  }
  return (
    <ul className={classes['list']}>
      {data.map((report) => {
        const home = path(`/m/${report.project.slug}`)
        const about =
          report.review_id !== null
            ? `${home}?tab=reviews`
            : report.release_id !== null
              ? `${home}?tab=releases#${report.release_id}`
              : home
        return (
          <li key={report.id}>
            <Card title={<Link to={about}>{report.project.name}</Link>} beside={<DateTime value={report.created_at} />}>
              <div className={classes['parts']}>
                <p>
                  <strong>{t(`market.report.reasons.${report.reason}`)}</strong>
                </p>
                <p className={classes['said']}>{report.comment}</p>
                <div className={classes['actions']}>
                  <Button loading={closing === report.id} onClick={() => void close(report.id)}>
                    {t('moderation.close')}
                  </Button>
                  <LinkButton look="quiet" to={`?list=projects&slug=${report.project.slug}`}>
                    {t('moderation.toProject')}
                  </LinkButton>
                </div>
              </div>
            </Card>
          </li>
        )
      })}
    </ul>
  )
}
