import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './code-block.module.css'
import { useCopy } from './use-copy.ts'

/** Text of a machine, to be read and copied: numbered lines under a head with its name. Scrolls within itself. */
export function CodeBlock({ name, text, mostLines = 24 }: { name: string; text: string; mostLines?: number }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <figure className={classes['block']}>
      <figcaption className={classes['head']}>
        <span className={classes['name']}>{name}</span>
        <button type="button" className={classes['copy']} onClick={() => copy(text)}>
          {copied ? <IconCheck size={16} aria-hidden="true" /> : <IconCopy size={16} aria-hidden="true" />}
          <span aria-live="polite">{copied ? t('address.copied') : t('code.copy')}</span>
        </button>
      </figcaption>
      {/* Can be scrolled, so it can be reached. */}
      <pre
        className={classes['lines']}
        style={{ maxHeight: `calc(${mostLines} * 1.6em + 24px)` }}
        tabIndex={0}
        aria-label={name}
      >
        <code>
          {lines.map((line, index) => (
            <span key={index} className={classes['line']}>
              {line}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}
