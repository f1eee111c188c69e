import { useQuery } from '@tanstack/react-query'
import { setupSteps } from '@wakestone/contract/admin/setup'
import { Link } from 'react-router'
import { setupQuery } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { Checklist } from '#app/ui/checklist.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './admin.module.css'

/** What a new installation still lacks; nothing once it lacks nothing. */
export function SetupList() {
  const { t } = useTranslation()
  const path = usePath()
  const { data, error } = useQuery(setupQuery())
  if (data === undefined)
    return (
      <div className={classes['setup']}>
        {error === null ? <Skeleton height={56} /> : <ErrorNote error={error} title={t('setup.failed')} />}
      </div>
    )
  const done = data.steps.filter((step) => step.done).length
  if (done === setupSteps.length) return null
  return (
    <Card className={classes['setup']} padded={false}>
      <details>
        <summary>
          <h2>{t('setup.title')}</h2>
          <span>{t('checklist.count', { done, all: setupSteps.length })}</span>
        </summary>
        <div className={classes['steps']}>
          <p>
            {t('setup.text')} <Link to={path('/docs/operators/operating')}>{t('setup.docs')}</Link>
          </p>
          <Checklist
            label={t('setup.title')}
            items={data.steps.map(({ step, done: isDone, found }) => ({
              key: step,
              done: isDone,
              title: t(`setup.steps.${step}.title`),
              text: (
                <>
                  {t(`setup.steps.${step}.text`)}
                  {found !== null && <code lang="en">{found}</code>}
                </>
              ),
            }))}
          />
        </div>
      </details>
    </Card>
  )
}
