import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { User } from '@wakestone/contract/accounts/user'
import { canModerateMarketplace } from '@wakestone/contract/capabilities'
import type { Project } from '@wakestone/contract/marketplace/project'
import { answerProjectReview, deleteProjectReview, type Review } from '@wakestone/contract/marketplace/reviews-routes'
import { roleHasRight } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import classes from './project.module.css'
import { ReportButton } from './report-button.tsx'
import { ReviewTextForm } from './review-text-form.tsx'

/** What signed-in users can do with a review: answer, remove or report it. */
export default function ReviewActions({ project, review, user }: { project: Project; review: Review; user: User }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const [isAnswering, setAnswering] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { slug, role } = project
  const isOwn = review.user_id === user.id
  const mayRemove = isOwn || canModerateMarketplace(user.user_capabilities)
  const mayAnswer = review.answer === null && role !== null && roleHasRight(role, 'release')
  return (
    <>
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
    </>
  )
}

function AnswerForm({ slug, reviewId }: { slug: string; reviewId: string }) {
  const { t } = useTranslation()
  return (
    <ReviewTextForm
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
