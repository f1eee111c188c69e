import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './editor.module.css'
import type { Place } from './code-view.tsx'
import type { Hint } from './hints.ts'
import { languageOf } from './languages.ts'
import type { Codec } from './text-codec.ts'

const encodings = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  latin1: 'ISO 8859-1',
} as const
const lineEnds = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const

/** Where the cursor is, what the file is, and what the setting does that the cursor is on. */
export function StatusLine({
  path,
  place,
  codec: { encoding, lineEnd },
  hint,
}: {
  path: string
  place: Place
  codec: Codec
  hint: Hint | undefined
}) {
  const { t } = useTranslation()
  return (
    <div className={classes['status']}>
      <p
        className={classes['hint']}
        aria-live="polite"
        data-fault={hint?.fault !== undefined || hint?.isBroken || undefined}
      >
        {hint !== undefined && (
          <>
            <strong>{hint.title}</strong>{' '}
            {hint.fault === undefined ? hint.text : t('files.editor.fault', { wanted: hint.fault })}
          </>
        )}
      </p>
      <span>{t('files.editor.place', { line: place.line, column: place.column })}</span>
      <span>{languageOf(path)?.name ?? t('files.editor.plain')}</span>
      <span>{encodings[encoding]}</span>
      <span>{lineEnd === 'mixed' ? t('files.editor.mixed') : lineEnds[lineEnd]}</span>
    </div>
  )
}
