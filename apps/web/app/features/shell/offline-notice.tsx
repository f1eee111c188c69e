import { IconWifiOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './panel-frame.module.css'

/** Says that the browser has no connection, and so that what is shown may have changed since. */
export function OfflineNotice() {
  const { t } = useTranslation()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine, renderedOnline)
  return (
    <div role="status">
      {!isOnline && (
        <p className={classes['offline']}>
          <IconWifiOff size={18} aria-hidden="true" />
          {t('shell.offline')}
        </p>
      )}
    </div>
  )
}

const renderedOnline = () => true

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
