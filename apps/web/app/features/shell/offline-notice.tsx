import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './panel-frame.module.css'

const againMilliseconds = 3_000
const answerMilliseconds = 5_000

/** Says that the server cannot be reached, and so that what is shown may have changed since. */
export function OfflineNotice() {
  const { t } = useTranslation()
  const isLost = useLostConnection()
  return (
    <div role="status">
      {isLost && (
        <p className={classes['offline']}>
          <IconWifiOff size={18} aria-hidden="true" />
          {t('shell.offline')}
        </p>
      )}
    </div>
  )
}

/** A browser that calls itself offline may still reach a server on its own machine: so the server is asked. */
function useLostConnection(): boolean {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const look = () =>
      void fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(answerMilliseconds) }).then(
        () => setLost(false),
        () => setLost(true),
      )
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    const again = isLost ? setInterval(look, againMilliseconds) : undefined
    return () => {
      window.removeEventListener('online', look)
      window.removeEventListener('offline', look)
      clearInterval(again)
    }
  }, [isLost])
  return isLost
}
