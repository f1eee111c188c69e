import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { createStore } from './create-store.ts'
import { useErrorText } from './error-text.ts'
import { EventId } from './event-id.tsx'
import classes from './toasts.module.css'

type Toast = { id: number; text?: string; error: unknown }

let nextId = 1
const toasts = createStore<readonly Toast[]>([])

/** Says that something failed, with its event id. `text` says what was tried. */
export function showErrorToast(error: unknown, text?: string): void {
  toasts.set([...toasts.get().slice(-2), { id: nextId++, error, ...(text === undefined ? {} : { text }) }])
}

/** Where toasts appear: top left. Rendered once, in the root. */
export function Toasts() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.getInitial)
  return (
    <div className={classes['stack']} role="region" aria-label={t('toast.region')} aria-live="polite">
      {shown.map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          onClose={() => toasts.set(toasts.get().filter((other) => other.id !== toast.id))}
        />
      ))}
    </div>
  )
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { t } = useTranslation()
  const failure = useErrorText(toast.error)
  const close = useRef(onClose)
  close.current = onClose
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => close.current(), 5000)
  }
  const hold = () => clearTimeout(timer.current)
  useEffect(() => {
    wait()
    return hold
  }, [])
  return (
    <div className={classes['toast']} onPointerEnter={hold} onPointerLeave={wait} onFocus={hold} onBlur={wait}>
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div className={classes['words']}>
        {toast.text !== undefined && <div className={classes['title']}>{toast.text}</div>}

        <div>{failure.text}</div>
        <EventId id={failure.eventId} />
      </div>
      <button type="button" className={classes['close']} onClick={onClose} aria-label={t('common.close')}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
