import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './modal.module.css'
import { useSettled } from './use-settled.ts'

/**
 * A dialog over the page. The browser's own: it keeps the focus, closes on Esc and gives the focus back. What carries
 * `data-autofocus` is focused first.
 */
export function Modal({
  opened,
  onClose,
  title,
  actions,
  wide = false,
  children,
}: {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** Buttons at its end, the most likely one last. */
  actions?: ReactNode
  /** For a form with columns. Its buttons stay in sight while it is scrolled. */
  wide?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  const id = useId()
  const isSettled = useSettled(opened)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    if (box === null || box.open === opened) return
    if (!opened) return box.close()
    box.showModal()
    box.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [opened])
  return (
    <dialog
      ref={dialog}
      className={classes['modal']}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        // The backdrop belongs to the dialog; what is in it lies in the box.
        if (event.target === dialog.current && isSettled) onClose()
      }}
    >
      <div className={classes['box']}>
        <div className={classes['head']}>
          <h2 id={id}>{title}</h2>
          <button type="button" className={classes['close']} onClick={onClose} aria-label={t('common.close')}>
            <IconX size={18} aria-hidden="true" />
          </button>
        </div>
        {opened && children}
        {opened && actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </div>
    </dialog>
  )
}
