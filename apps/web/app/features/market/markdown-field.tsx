import { Textarea } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { previewText } from '@wakestone/contract/marketplace/projects-routes'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Prose } from '#app/ui/prose.tsx'
import classes from './markdown-field.module.css'

/** Typing is over for so long before the text is rendered. */
const pauseMilliseconds = 350

/** Markdown, and beside it what will be shown: made by the same code of the server that makes the page. */
export function MarkdownField({
  label,
  minRows,
  ...field
}: {
  label: string
  minRows: number
  name: string
  value: string
  error: React.ReactNode
  onFocus: () => void
  onChange: (event: { currentTarget: { value: string } }) => void
  onBlur: () => void
}) {
  const { t } = useTranslation()
  const id = useId()
  const { html, error, isStale } = usePreview(field.value)
  return (
    <div className={classes['pair']}>
      <Textarea
        label={label}
        description={t('market.form.markdown')}
        autosize
        minRows={minRows}
        maxRows={28}
        {...field}
      />
      <section className={classes['preview']} aria-labelledby={id} aria-busy={isStale}>
        <h3 id={id}>{t('market.form.preview')}</h3>
        {error !== undefined && <ErrorNote error={error} />}
        {html === '' ? (
          <p className={classes['muted']}>{t('market.form.previewEmpty')}</p>
        ) : (
          <Prose html={html} small />
        )}
      </section>
    </div>
  )
}

function usePreview(text: string): { html: string; error: unknown; isStale: boolean } {
  const [shown, setShown] = useState<{ of: string; html: string; error?: unknown }>({ of: '', html: '' })
  useEffect(() => {
    if (text === shown.of) return
    const isTooLong = text.length > projectLimits.description
    let isLatest = true
    const timer = setTimeout(
      () => {
        if (text.trim() === '' || isTooLong) return setShown({ of: text, html: '' })
        api(previewText, { body: { text } }).then(
          ({ html }) => isLatest && setShown({ of: text, html }),
          (error: unknown) => isLatest && setShown((before) => ({ ...before, of: text, error })),
        )
      },
      text.trim() === '' ? 0 : pauseMilliseconds,
    )
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [text, shown.of])
  return { html: shown.html, error: shown.error, isStale: shown.of !== text }
}
