import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { createReview } from '@wakestone/contract/accounts/feedback-routes'
import { reviewAdvantages, reviewAges, reviewCauses, reviewCommentLimit, reviewRates } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './survey.module.css'

const rates = Array.from({ length: reviewRates.max - reviewRates.min + 1 }, (_, index) => reviewRates.min + index)
type Age = (typeof reviewAges)[number]

/** How likely somebody is to recommend us, and why. */
export default function SurveyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const asksAge = useFlag('nps-age-input')
  const [rate, setRate] = useState<number>()
  const [causes, setCauses] = useState<readonly string[]>([])
  const [advantages, setAdvantages] = useState<readonly string[]>([])
  const [comment, setComment] = useState('')
  const [mayPublish, setMayPublish] = useState(false)
  const [age, setAge] = useState<Age>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isDone, setDone] = useState(false)
  const send = async () => {
    if (rate === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      await api(createReview, {
        body: {
          rate,
          causes: reviewCauses.filter((name) => causes.includes(name)),
          advantages: reviewAdvantages.filter((name) => advantages.includes(name)),
          ...(comment.trim() !== '' && { comment: comment.trim(), may_publish: mayPublish }),
          ...(age !== undefined && { age }),
          language,
        },
      })
      setDone(true)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (isDone)
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('survey.thanks')}
        actions={
          <Button look="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        }
      >
        <p>{t('survey.thanksText')}</p>
      </Modal>
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('survey.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('survey.later')}</Button>
          <Button
            look="primary"
            loading={busy}
            why={rate === undefined ? t('survey.whyNoRate') : undefined}
            onClick={() => void send()}
          >
            {t('survey.send')}
          </Button>
        </>
      }
    >
      <div className={classes['form']}>
        <fieldset className={classes['rates']}>
          <legend>{t('survey.question')}</legend>
          <div>
            {rates.map((value) => (
              <label key={value} data-chosen={value === rate || undefined}>
                <input
                  type="radio"
                  name="rate"
                  className="visually-hidden"
                  checked={value === rate}
                  onChange={() => setRate(value)}
                />
                <span>{value}</span>
              </label>
            ))}
          </div>
          <p className={classes['ends']} aria-hidden="true">
            <span>{t('survey.least')}</span>
            <span>{t('survey.most')}</span>
          </p>
        </fieldset>
        {rate !== undefined && (
          <>
            <Checkbox.Group label={t('survey.advantages')} value={[...advantages]} onChange={setAdvantages}>
              <div className={classes['choices']}>
                {reviewAdvantages.map((name) => (
                  <Checkbox key={name} value={name} label={t(`survey.advantageNames.${name}`)} />
                ))}
              </div>
            </Checkbox.Group>
            <Checkbox.Group label={t('survey.causes')} value={[...causes]} onChange={setCauses}>
              <div className={classes['choices']}>
                {reviewCauses.map((name) => (
                  <Checkbox key={name} value={name} label={t(`survey.causeNames.${name}`)} />
                ))}
              </div>
            </Checkbox.Group>
            <Textarea
              label={t('survey.comment')}
              autosize
              minRows={3}
              maxRows={8}
              maxLength={reviewCommentLimit}
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
            />
            {comment.trim() !== '' && (
              <Checkbox
                checked={mayPublish}
                label={t('survey.mayPublish')}
                description={t('survey.mayPublishHint')}
                onChange={(event) => setMayPublish(event.currentTarget.checked)}
              />
            )}
            {asksAge && (
              <NativeSelect
                label={t('survey.age')}
                value={age ?? ''}
                data={[
                  { value: '', label: t('survey.noAge') },
                  ...reviewAges.map((value) => ({ value, label: t(`survey.ages.${value}`) })),
                ]}
                onChange={(event) => setAge(reviewAges.find((one) => one === event.currentTarget.value))}
              />
            )}
          </>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
