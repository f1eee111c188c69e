import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './address.module.css'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

const labels = {
  address: 'address.copy',
  link: 'address.copyLink',
  host: 'address.copyHost',
  port: 'address.copyPort',
  username: 'address.copyUsername',
  database: 'address.copyDatabase',
  url: 'address.copyUrl',
  name: 'address.copyName',
  content: 'address.copyContent',
} as const

/**
 * What a player types to join, or a link to share, with one-click copy. `kind` is what the button says it copies. `large` is for a server's own page; `oneLine`
 * cuts what does not fit.
 */
export function Address({
  address,
  kind = 'address',
  size = 'normal',
  oneLine = false,
}: {
  address: string
  kind?: keyof typeof labels
  size?: 'normal' | 'large'
  oneLine?: boolean
}) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const label = t(labels[kind])
  if (size === 'normal') {
    return (
      <button
        type="button"
        className={classes['inline']}
        data-one-line={oneLine}
        onClick={() => copy(address)}
        title={oneLine ? address : label}
      >
        <span className={classes['text']}>{address}</span>
        {copied ? <IconCheck size={15} aria-hidden="true" /> : <IconCopy size={15} aria-hidden="true" />}
        <span className="visually-hidden">{label}</span>
        <Announcement copied={copied} />
      </button>
    )
  }
  return (
    <span className={classes['large']}>
      <span className={classes['text']} data-testid="address">
        {address}
      </span>
      <Button size="small" icon={copied ? <IconCheck /> : <IconCopy />} onClick={() => copy(address)}>
        {copied ? t('address.copied') : label}
      </Button>
      <Announcement copied={copied} />
    </span>
  )
}

function Announcement({ copied }: { copied: boolean }) {
  const { t } = useTranslation()
  return (
    <span className="visually-hidden" aria-live="polite">
      {copied ? t('address.copied') : ''}
    </span>
  )
}
