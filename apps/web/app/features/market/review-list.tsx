import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import { createProjectReview, type Review } from '@wakestone/contract/marketplace/reviews-routes'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './project.module.css'

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
      {mayReview && <ReviewForm slug={project.slug} />}
      {reviews.length === 0 ? (
        <EmptyState figure="none" title={t('market.noReviewsTitle')} text={t('market.noReviewsText')} />
      ) : (
        <ol className={classes['releases']}>
          {reviews.map((review) => (
            <li key={review.id} className={classes['release']}>
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
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function ReviewForm({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const send = async (rate: Review['rate']) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api(createProjectReview, { params: { slug }, body: { rate, comment } })
      await revalidator.revalidate()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['reviewForm']}>
      <label htmlFor="review-comment">{t('market.reviewLabel')}</label>
      <textarea
        id="review-comment"
        rows={3}
        maxLength={projectLimits.review}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <div className={classes['actions']}>
        <Button
          loading={busy}
          icon={<IconThumbUp size={16} aria-hidden="true" />}
          onClick={() => void send('recommend')}
        >
          {t('market.rates.recommend')}
        </Button>
        <Button
          loading={busy}
          look="quiet"
          icon={<IconThumbDown size={16} aria-hidden="true" />}
          onClick={() => void send('not_recommend')}
        >
          {t('market.rates.not_recommend')}
        </Button>
      </div>
      {failure !== undefined && <ErrorNote error={failure} />}
    </div>
  )
}
