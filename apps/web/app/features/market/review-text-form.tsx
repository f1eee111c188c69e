import { useId, useState } from 'react'
import { useRevalidator } from 'react-router'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './project.module.css'

type TextAction = {
  text: string
  icon?: React.ReactNode
  /** Whether it says nothing without words. */
  needsText?: boolean
  send: (comment: string) => Promise<unknown>
}

/** A text, and what can be done with it. The page is loaded anew then. */
export function ReviewTextForm({ label, actions }: { label: string; actions: readonly TextAction[] }) {
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
