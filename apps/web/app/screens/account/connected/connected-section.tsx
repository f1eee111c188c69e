import { IconBrandDiscord } from '@tabler/icons-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { beginDiscordLink, unlinkSocial } from '@wakestone/contract/accounts/socials-routes'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './connected-section.module.css'

/** Accounts elsewhere that sign in to this one. Nothing where there are none and none can be connected. */
export function ConnectedSection() {
  const { t } = useTranslation()
  const { socials } = useSignedInUser()
  const { hasDiscord } = useSite()
  const discord = socials.find(({ source }) => source === 'discord')
  if (discord === undefined && !hasDiscord) return null
  return (
    <Card title={t('connected.title')} id="connected">
      <div className={classes['row']}>
        <span className={classes['icon']}>
          <IconBrandDiscord size={24} aria-hidden="true" />
        </span>
        <div className={classes['text']}>
          <b>{discord === undefined ? 'Discord' : (discord.details.global_name ?? discord.details.username)}</b>
          <p>
            {discord === undefined ? (
              t('connected.text')
            ) : (
              <>
                {['Discord', ...(discord.details.global_name === null ? [] : [discord.details.username])].join(' · ')} ·{' '}
                {t('connected.since')} <DateTime value={discord.created_at} />
              </>
            )}
          </p>
        </div>
        {discord === undefined ? <Connect /> : <Disconnect id={discord.id} />}
      </div>
    </Card>
  )
}

function Connect() {
  const { t } = useTranslation()
  const { email_verified } = useSignedInUser()
  const language = useLanguage()
  const path = usePath()
  const [isBusy, setBusy] = useState(false)
  const connect = async () => {
    setBusy(true)
    try {
      const { url } = await api(beginDiscordLink, { body: { language, from: path('/account/settings#connected') } })
      location.assign(url)
    } catch (error) {
      setBusy(false)
      showErrorToast(error)
    }
  }
  return (
    <Button
      loading={isBusy}
      why={email_verified === null ? t('connected.needsEmail') : undefined}
      onClick={() => void connect()}
    >
      {t('connected.connect')}
    </Button>
  )
}

function Disconnect({ id }: { id: string }) {
  const { t } = useTranslation()
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await api(unlinkSocial, { params: { id } })
      await revalidate()
    } catch (error) {
      showErrorToast(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={isBusy} onClick={() => void disconnect()}>
      {t('connected.disconnect')}
    </Button>
  )
}
