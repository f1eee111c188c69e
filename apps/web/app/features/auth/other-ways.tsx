import { IconBrandDiscord, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { PasskeyButton } from '#app/features/passkeys/passkey-button.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { discordAddress } from './discord-address.ts'
import { type AuthMethod, noteAttempt, useLastMethod } from './last-method.ts'
import classes from './other-ways.module.css'

/** Ways in without a password, below a form. They come back to where the visitor was going. */
export function OtherWays({ isNew = false }: { isNew?: boolean }) {
  const { t } = useTranslation()
  const { hasDiscord } = useSite()
  const language = useLanguage()
  const path = usePath()
  const [search] = useSearchParams()
  const from = search.get('from')
  const query = from === null ? '' : `?from=${encodeURIComponent(from)}`
  const usePasskey = async () => {
    const { logInWithPasskey } = await import('#app/features/passkeys/calls.ts')
    if (!(await logInWithPasskey())) return
    noteAttempt('passkey')
    // A whole new page: nothing of the visitor stays in memory.
    location.assign(cameFrom(from, language))
    await new Promise(() => {})
  }
  return (
    <div className={classes['ways']}>
      <p className={classes['or']}>
        <span>{t('ways.or')}</span>
      </p>
      {hasDiscord && (
        <MarkedAsLast method="discord">
          <LinkButton
            to={discordAddress({ language, from })}
            reload
            rel="nofollow"
            size="large"
            fullWidth
            icon={<IconBrandDiscord size={20} aria-hidden="true" />}
            onClick={() => noteAttempt('discord')}
          >
            {t(isNew ? 'ways.registerByDiscord' : 'ways.discord')}
          </LinkButton>
        </MarkedAsLast>
      )}
      {!isNew && (
        <MarkedAsLast method="passkey">
          <PasskeyButton onPress={usePasskey} />
        </MarkedAsLast>
      )}
      <MarkedAsLast method="email">
        <LinkButton
          to={path(`/email-login${query}`)}
          size="large"
          fullWidth
          icon={<IconMail size={20} aria-hidden="true" />}
        >
          {t(isNew ? 'ways.registerByCode' : 'auth.byCode')}
        </LinkButton>
      </MarkedAsLast>
    </div>
  )
}

/** Marks the way by which somebody came in last. */
export function MarkedAsLast({ method, children }: { method: AuthMethod; children: ReactNode }) {
  const { t } = useTranslation()
  const isLast = useLastMethod() === method
  return (
    <div className={classes['marked']}>
      {children}
      {isLast && <span className={classes['last']}>{t('ways.last')}</span>}
    </div>
  )
}
