import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { createProjectReview, type Review } from '@wakestone/contract/marketplace/reviews-routes'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ReviewTextForm } from './review-text-form.tsx'

export default function ReviewForm({ slug }: { slug: string }) {
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
  return <ReviewTextForm label={t('market.reviewLabel')} actions={[rate('recommend'), rate('not_recommend')]} />
}
