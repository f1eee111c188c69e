import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { NotificationSettings } from '@wakestone/contract/ground/notification'
import { removeWebhook, setWebhook } from '@wakestone/contract/ground/notifications-routes'
import { api } from '#app/api/client.ts'
import { notificationSettingsQuery } from '#app/features/notifications/queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './notification-settings.module.css'

/** A channel of the user's own Discord server, by its webhook. */
export function WebhookSection({ webhook }: { webhook: NotificationSettings['webhook'] }) {
  const { t } = useTranslation()
  const { id: userId } = useSignedInUser()
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const again = () => queries.invalidateQueries(notificationSettingsQuery(userId))
  const connect = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await api(setWebhook, { params: { userId }, body: { url: url.trim() } })
      setUrl('')
      await again()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const disconnect = async () => {
    setBusy(true)
    try {
      await api(removeWebhook, { params: { userId } })
      await again()
    } catch (error) {
      showErrorToast(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('notifications.discord')} id="discord">
      {webhook === null ? (
        <>
          <p className={classes['line']}>{t('notifications.discordText')}</p>
          <form className={classes['form']} onSubmit={(event) => void connect(event)}>
            <TextInput
              label={t('notifications.discordUrl')}
              type="url"
              required
              withAsterisk={false}
              autoComplete="off"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            {failure !== undefined && <ErrorNote error={failure} />}
            <Button type="submit" loading={isBusy}>
              {t('notifications.discordConnect')}
            </Button>
          </form>
        </>
      ) : (
        <>
          <div className={classes['line']}>
            <p>{t('notifications.discordConnected', { hint: webhook.hint })}</p>
            <Button size="small" loading={isBusy} onClick={() => void disconnect()}>
              {t('notifications.discordRemove')}
            </Button>
          </div>
          {webhook.last_error !== null && (
            <p className={classes['bad']}>
              {webhook.last_error === 'gone'
                ? t('notifications.discordGone')
                : t('notifications.discordFailed', { reason: webhook.last_error })}
            </p>
          )}
        </>
      )}
    </Card>
  )
}
