import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useRevalidator } from 'react-router'
import { canModerateMarketplace } from '@wakestone/contract/capabilities'
import type { Project } from '@wakestone/contract/marketplace/project'
import {
  answerProjectReview,
  createProjectReview,
  deleteProjectReview,
  type Review,
} from '@wakestone/contract/marketplace/reviews-routes'
import { projectLimits, roleHasRight } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './project.module.css'
import { ReportButton } from './report-button.tsx'

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
  const revalidator = useRevalidator()
  const [isAnswering, setAnswering] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { slug, role } = project
  const isOwn = user !== null && review.user_id === user.id
  const mayRemove = isOwn || (user !== null && canModerateMarketplace(user.user_capabilities))
  const mayAnswer = review.answer === null && role !== null && roleHasRight(role, 'release')
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
      <div className={classes['rowActions']}>
        {mayAnswer && !isAnswering && (
          <Button size="small" onClick={() => setAnswering(true)}>
            {t('market.reviews.answer')}
          </Button>
        )}
        {mayRemove && (
          <Button size="small" look="quiet" onClick={() => setDeleting(true)}>
            {t(isOwn ? 'market.reviews.delete' : 'market.reviews.removeAny')}
          </Button>
        )}
        {!isOwn && <ReportButton slug={slug} name={project.name} reviewId={review.id} />}
      </div>
      {isAnswering && mayAnswer && <AnswerForm slug={slug} reviewId={review.id} />}
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('market.reviews.deleteTitle')}
        text={t('market.reviews.deleteText')}
        action={t(isOwn ? 'market.reviews.delete' : 'market.reviews.removeAny')}
        onConfirm={async () => {
          await api(deleteProjectReview, { params: { slug, reviewId: review.id } })
          await revalidator.revalidate()
        }}
      />
    </li>
  )
}

function AnswerForm({ slug, reviewId }: { slug: string; reviewId: string }) {
  const { t } = useTranslation()
  return (
    <TextForm
      label={t('market.reviews.answerLabel')}
      actions={[
        {
          text: t('market.reviews.answerSend'),
          needsText: true,
          send: (comment) => api(answerProjectReview, { params: { slug, reviewId }, body: { comment } }),
        },
      ]}
    />
  )
}

function ReviewForm({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const rate = (rated: Review['rate']) => ({
    text: t(`market.rates.${rated}`),
    icon:
      rated === 'recommend' ? (
        <IconThumbUp size={16} aria-hidden="true" />
      ) : (
        <IconThumbDown size={16} aria-hidden="true" />
      ),
    send: (comment: string) => api(createProjectReview, { params: { slug }, body: { rate: rated, comment } }),
  })
  return <TextForm label={t('market.reviewLabel')} actions={[rate('recommend'), rate('not_recommend')]} />
}

type TextAction = {
  text: string
  icon?: React.ReactNode
  /** Whether it says nothing without words. */
  needsText?: boolean
  send: (comment: string) => Promise<unknown>
}

/** A text, and what can be done with it. The page is loaded anew then. */
function TextForm({ label, actions }: { label: string; actions: readonly TextAction[] }) {
  const { t } = useTranslation()
  const id = useId()
  const revalidator = useRevalidator()
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const run = async (send: TextAction['send']) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await send(comment)
      await revalidator.revalidate()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['reviewForm']}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={projectLimits.review}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <div className={classes['actions']}>
        {actions.map(({ text, icon, needsText = false, send }) => (
          <Button
            key={text}
            loading={busy}
            icon={icon}
            why={needsText && comment.trim() === '' ? t('fields.required') : undefined}
            onClick={() => void run(send)}
          >
            {text}
          </Button>
        ))}
      </div>
      {failure !== undefined && <ErrorNote error={failure} />}
    </div>
  )
}
