import { useQuery } from '@tanstack/react-query'
import { IconExternalLink } from '@tabler/icons-react'
import { getSecurity } from '@wakestone/contract/accounts/security-routes'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'

/**
 * Tells whoever has no second login step, before they fill in a form, that publishing needs one. It is turned on in another
 * tab, so that what was typed stays; back from there, this goes by itself.
 */
export function SecondStepNotice() {
  const { t } = useTranslation()
  const path = usePath()
  const { data } = useQuery({ ...queryOf(getSecurity, {}, { staleTime: 0 }), refetchOnWindowFocus: 'always' })
  if (data === undefined || data.totp !== null || data.passkeys.length > 0) return null
  return (
    <Card title={t('market.stepTitle')}>
      <p>{t('market.stepText')}</p>
      <p>
        <a href={path('/account/settings/security')} target="_blank" rel="noopener">
          {t('market.form.toSecurity')} <IconExternalLink size={14} aria-hidden="true" />
        </a>
      </p>
    </Card>
  )
}
