import { Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { FilePicker, whyTooMuch } from './file-picker.tsx'
import classes from './tickets.module.css'

/** Where the next message is written. `tools` stand above the text, `actions` beside the button. */
export function Composer({
  label,
  action,
  most,
  text,
  onText,
  onSend,
  hasFiles = true,
  tools,
  actions,
}: {
  label: string
  action: string
  /** Characters at most. */
  most: number
  text: string
  onText: (text: string) => void
  onSend: (files: readonly File[]) => Promise<unknown>
  hasFiles?: boolean
  tools?: ReactNode
  actions?: ReactNode
}) {
  const { t } = useTranslation()
  const [files, setFiles] = useState<File[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const tooMuch = whyTooMuch(files)
  const why =
    text.trim() === '' ? t('tickets.whyEmpty') : tooMuch === undefined ? undefined : t(`tickets.tooMuch.${tooMuch}`)
  const send = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onSend(hasFiles ? files : [])
      onText('')
      setFiles([])
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['composer']}>
      {tools}
      <Textarea
        label={label}
        autosize
        minRows={4}
        maxRows={20}
        maxLength={most}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {hasFiles && <FilePicker files={files} onChange={setFiles} />}
      {failure !== undefined && <ErrorNote error={failure} />}
      <div className={classes['buttons']}>
        <Button look="primary" loading={busy} why={why} onClick={() => void send()}>
          {action}
        </Button>
        {actions}
      </div>
    </div>
  )
}
