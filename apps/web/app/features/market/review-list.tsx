import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Project } from '@wakestone/contract/marketplace/project'
import type { Review } from '@wakestone/contract/marketplace/reviews-routes'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import classes from './project.module.css'

/** Loaded for signed-in users only: both need the API client. */
const ReviewActions = lazy(() => import('./review-actions.tsx'))
const ReviewForm = lazy(() => import('./review-form.tsx'))

/** What people say on whose servers it runs. */
export function ReviewList({
  project,
  reviews: { reviews, may_review: mayReview },
}: {
  project: Project
  reviews: { reviews: Review[]; may_review: boolean }
}) {
  const { t } = useTranslation()
  return (
    <>
      {mayReview && (
        <Suspense>
          <ReviewForm slug={project.slug} />
        </Suspense>
      )}
      {reviews.length === 0 ? (
        <EmptyState figure="none" title={t('market.noReviewsTitle')} text={t('market.noReviewsText')} />
      ) : (
        <ol className={classes['releases']}>
          {reviews.map((review) => (
            <ReviewRow key={review.id} project={project} review={review} />
          ))}
        </ol>
      )}
    </>
  )
}

function ReviewRow({ project, review }: { project: Project; review: Review }) {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <li className={classes['release']}>
      <div className={classes['releaseHead']}>
        {review.rate === 'recommend' ? (
          <IconThumbUp size={18} aria-hidden="true" />
        ) : (
          <IconThumbDown size={18} aria-hidden="true" />
        )}
        <h2>{t(`market.rates.${review.rate}`)}</h2>
        <span className={classes['muted']}>
          {review.username ?? t('market.formerUser')} · {review.version} ·{' '}
          <DateTime value={review.created_at} dateOnly />
        </span>
      </div>
      {review.comment !== '' && <p className={classes['said']}>{review.comment}</p>}
      {review.answer !== null && (
        <blockquote className={classes['answer']}>
          <strong>{t('market.answer')}</strong>
          <p className={classes['said']}>{review.answer.comment}</p>
        </blockquote>
      )}
      {user !== null && (
        <Suspense>
          <ReviewActions project={project} review={review} user={user} />
        </Suspense>
      )}
    </li>
  )
}
