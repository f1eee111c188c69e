import { IconFileText, IconMail, IconNote } from '@tabler/icons-react'
import type { DeskMessage, TicketAttachment } from '@wakestone/contract/accounts/support'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DateTime } from '#app/ui/date-time.tsx'
import classes from './tickets.module.css'

type Shown = Omit<DeskMessage, 'is_note' | 'sender'> & Partial<Pick<DeskMessage, 'is_note' | 'sender'>>

/** All that was written, oldest first. `viewer` is whose own words stand to the right. */
export function Thread({ messages, viewer }: { messages: readonly Shown[]; viewer: 'writer' | 'staff' }) {
  const { t } = useTranslation()
  return (
    <ol className={classes['thread']} aria-label={t('tickets.conversation')}>
      {messages.map((message) => (
        <Message key={message.id} message={message} isOwn={message.author === viewer} viewer={viewer} />
      ))}
    </ol>
  )
}

function Message({ message, isOwn, viewer }: { message: Shown; isOwn: boolean; viewer: 'writer' | 'staff' }) {
  const { t } = useTranslation()
  const { author, name, via, body, attachments, left_out: leftOut, is_note: isNote = false, sender } = message
  const who =
    viewer === 'writer'
      ? author === 'writer'
        ? t('tickets.you')
        : name === null
          ? t('tickets.support')
          : t('tickets.supportName', { name })
      : (sender ?? name ?? t(author === 'writer' ? 'desk.visitor' : 'tickets.support'))
  return (
    <li className={classes['message']} data-own={isOwn || undefined} data-note={isNote || undefined}>
      <p className={classes['who']}>
        {isNote && <IconNote size={15} aria-hidden="true" />}
        <strong>{who}</strong>
        {isNote && <span className={classes['mark']}>{t('desk.note')}</span>}
        {via === 'mail' && (
          <span className={classes['mark']}>
            <IconMail size={14} aria-hidden="true" /> {t('tickets.byMail')}
          </span>
        )}
        <DateTime value={message.created_at} />
      </p>
      {sender != null && <p className={classes['warning']}>{t('desk.otherSender', { address: sender })}</p>}
      <div className={classes['words']}>{body}</div>
      {attachments.length > 0 && (
        <ul className={classes['attachments']}>
          {attachments.map((file) => (
            <Attachment key={file.id} file={file} />
          ))}
        </ul>
      )}
      {leftOut > 0 && <p className={classes['hint']}>{t('tickets.leftOut', { count: leftOut })}</p>}
    </li>
  )
}

function Attachment({ file }: { file: TicketAttachment }) {
  const format = useFormat()
  const to = `/api/v1/support/attachments/${file.id}`
  return (
    <li>
      <a href={to} target="_blank" rel="noopener">
        {file.kind === 'picture' ? (
          <img src={to} alt="" loading="lazy" width={file.width ?? 320} height={file.height ?? 200} />
        ) : (
          <IconFileText size={18} aria-hidden="true" />
        )}
        <span>{file.name}</span> <small>{format.bytes(file.bytes)}</small>
      </a>
    </li>
  )
}
