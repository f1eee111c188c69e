import { IconFlag } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { reportProject } from '@wakestone/contract/marketplace/reviews-routes'
import { projectLimits, type ProjectReportReason, projectReportReasons } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './project.module.css'

/** Tells moderators of a project, or of one of its reviews. Only for those who are signed in. */
export function ReportButton({ slug, name, reviewId }: { slug: string; name: string; reviewId?: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        size={reviewId === undefined ? 'normal' : 'small'}
        icon={<IconFlag size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('market.report.open')}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('market.report.title', { name })}>
        <ReportForm slug={slug} reviewId={reviewId} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function ReportForm({ slug, reviewId, onClose }: { slug: string; reviewId: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [reason, setReason] = useState<ProjectReportReason>('malware')
  const [comment, setComment] = useState('')
  const [isSent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const send = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await api(reportProject, {
        params: { slug },
        body: { reason, comment, ...(reviewId !== undefined && { review_id: reviewId }) },
      })
      setSent(true)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (isSent) return <p role="status">{t('market.report.sent')}</p>
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onCancel={onClose}
      action={t('market.report.send')}
      busy={busy}
      failure={failure}
      why={comment.trim() === '' ? t('fields.required') : undefined}
    >
      <p className={classes['muted']}>{t('market.report.text')}</p>
      <div className={classes['field']}>
        <label htmlFor={`${id}-reason`}>{t('market.report.reason')}</label>
        <select
          id={`${id}-reason`}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value as ProjectReportReason)}
        >
          {projectReportReasons.map((one) => (
            <option key={one} value={one}>
              {t(`market.report.reasons.${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div className={classes['field']}>
        <label htmlFor={`${id}-comment`}>{t('market.report.comment')}</label>
        <textarea
          id={`${id}-comment`}
          rows={4}
          maxLength={projectLimits.review}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      </div>
    </DialogForm>
  )
}
