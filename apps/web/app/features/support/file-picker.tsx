import { IconPaperclip, IconX } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { ticketLimits } from '@wakestone/contract/values'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import classes from './tickets.module.css'

const accepted = 'image/png,image/jpeg,image/webp,image/gif,.txt,.log,.json,.yml,.yaml,.toml,.properties'

/** Why files cannot go along; undefined: they can. What they are the server sees. */
export function whyTooMuch(files: readonly File[]): 'many' | 'large' | undefined {
  if (files.length > ticketLimits.files) return 'many'
  return files.some(({ size }) => size > ticketLimits.pictureBytes) ? 'large' : undefined
}

/** Pictures and logs that go along with a message. */
export function FilePicker({ files, onChange }: { files: readonly File[]; onChange: (files: File[]) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const why = whyTooMuch(files)
  return (
    <div className={classes['files']} role="group" aria-label={t('tickets.files')}>
      <input
        ref={input}
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        accept={accepted}
        aria-label={t('tickets.addFiles')}
        tabIndex={-1}
        onChange={(event) => {
          onChange([...files, ...(event.currentTarget.files ?? [])])
          event.currentTarget.value = '' // the same file may be chosen again
        }}
      />
      <Button size="small" icon={<IconPaperclip size={16} />} onClick={() => input.current?.click()}>
        {t('tickets.addFiles')}
      </Button>
      <span className={classes['hint']}>
        {t('tickets.filesHint', { count: ticketLimits.files, size: format.bytes(ticketLimits.pictureBytes) })}
      </span>
      {files.length > 0 && (
        <ul>
          {files.map((file, index) => (
            <li key={`${file.name} ${index}`}>
              <span>{file.name}</span> <small>{format.bytes(file.size)}</small>
              <button
                type="button"
                aria-label={t('tickets.removeFile', { name: file.name })}
                onClick={() => onChange(files.filter((_, other) => other !== index))}
              >
                <IconX size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {why !== undefined && (
        <p role="alert" className={classes['wrong']}>
          {t(`tickets.tooMuch.${why}`)}
        </p>
      )}
    </div>
  )
}
