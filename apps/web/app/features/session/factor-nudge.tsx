import { IconShieldLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { isAdmin } from '@wakestone/contract/capabilities'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { securityQuery } from './security-query.ts'
import classes from './unconfirmed-banner.module.css'
import { useSignedInUser } from './use-user.ts'

/** Reminds an administrator whose account a password alone opens. */
export function FactorNudge() {
  const { t } = useTranslation()
  const path = usePath()
  const { pathname } = useLocation()
  const { user_capabilities } = useSignedInUser()
  const [isLater, setLater] = useState(false)
  const isMeant = isAdmin(user_capabilities)
  const { data } = useQuery({ ...securityQuery(), enabled: isMeant })
  const page = path('/account/settings/security')
  // Other pages run this query for every user, so it may be in the cache.
  if (!isMeant || isLater || data === undefined || data.totp !== null || data.passkeys.length > 0 || pathname === page)
    return null
  return (
    <aside className={classes['banner']} aria-label={t('security.nudge')}>
      <IconShieldLock size={18} aria-hidden="true" />
      <p>{t('security.nudge')}</p>
      <LinkButton size="small" to={page}>
        {t('security.nudgeAction')}
      </LinkButton>
      <Button size="small" look="quiet" onClick={() => setLater(true)}>
        {t('security.later')}
      </Button>
    </aside>
  )
}
