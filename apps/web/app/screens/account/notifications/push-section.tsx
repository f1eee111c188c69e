import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { NotificationSettings } from '@wakestone/contract/ground/notification'
import { pushSubscriptionBody } from '@wakestone/contract/ground/notification'
import { subscribeToPush, unsubscribeFromPush } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { notificationSettingsQuery } from '#app/features/notifications/queries.ts'
import { workerAddress } from '#app/features/shell/service-worker.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './notification-settings.module.css'

type Ability = 'unknown' | 'able' | 'unable' | 'denied'

const ability = (): Ability => {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return 'unable'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

/** Pushes to this browser. It is asked for its permission on a click only. */
export function PushSection({ push }: { push: NotificationSettings['push'] }) {
  const { t } = useTranslation()
  const { id: userId } = useSignedInUser()
  const queries = useQueryClient()
  const [can, setCan] = useState<Ability>('unknown')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => setCan(ability()), [])
  const change = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      await queries.invalidateQueries(notificationSettingsQuery(userId))
    } catch (error) {
      showErrorToast(error)
    } finally {
      setCan(ability())
      setBusy(false)
    }
  }
  const subscribe = async () => {
    if ((await Notification.requestPermission()) !== 'granted') return
    await navigator.serviceWorker.register(workerAddress)
    const { pushManager } = await navigator.serviceWorker.ready
    // One made with another key of ours would get nothing.
    await (await pushManager.getSubscription())?.unsubscribe()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: push.public_key })
    await api(subscribeToPush, { params: { userId }, body: pushSubscriptionBody.parse(subscription.toJSON()) })
  }
  const unsubscribe = async () => {
    await api(unsubscribeFromPush, { params: { userId } })
    const registration = await navigator.serviceWorker?.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  }
  const reasons = { unable: t('notifications.pushUnable'), denied: t('notifications.pushDenied') }
  return (
    <Card title={t('notifications.push')} id="push">
      <div className={classes['line']}>
        <p>
          {push.here ? t('notifications.pushHere') : t('notifications.pushText')}{' '}
          {push.browsers > 0 && t('notifications.pushBrowsers', { count: push.browsers })}
        </p>
        {push.here ? (
          <Button size="small" loading={isBusy} onClick={() => void change(unsubscribe)}>
            {t('notifications.pushStop')}
          </Button>
        ) : can === 'unable' || can === 'denied' ? (
          <small>{reasons[can]}</small>
        ) : (
          <Button size="small" loading={isBusy} onClick={() => void change(subscribe)}>
            {t('notifications.pushStart')}
          </Button>
        )}
      </div>
    </Card>
  )
}
