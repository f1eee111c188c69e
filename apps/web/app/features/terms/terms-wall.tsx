import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { logOut } from '#app/features/session/log-out.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import classes from './terms-wall.module.css'
import { useAgreeing } from './use-agreeing.ts'

/** Screens that stay open: the account can be guarded, copied and closed without agreeing to anything. */
const isOpen = (pathname: string) => /^\/\w+\/(?:account(?:\/|$)|change-email$)/.test(pathname)

/**
 * Stands in the place of the panel's screens while new terms that demand consent were not agreed to. The API refuses the
 * same by itself (`user_has_to_accept_terms`). Who looks as somebody else is not in their way.
 */
export function TermsWall({ children }: { children: ReactNode }) {
  const user = useUser()
  const { pathname } = useLocation()
  if (user === null || user.actor !== undefined || isOpen(pathname)) return children
  return user.consents_due.some(({ required }) => required) ? <Wall user={user} /> : children
}

function Wall({ user }: { user: Parameters<typeof useAgreeing>[0] }) {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const { agree, isBusy, error } = useAgreeing(user)
  return (
    <div className={classes['wall']}>
      <PageMeta page="termsWall" />
      <PageHeader title={t('termsWall.title')} text={t('termsWall.text')} />
      <Card title={t('termsWall.read')}>
        <ul className={classes['documents']}>
          {user.consents_due.map(({ subject, slug, version }) => (
            <li key={subject}>
              <Link to={path(`/${slug}`)} target="_blank">
                {t(`changedTerms.${subject}`)} <IconExternalLink size={16} aria-hidden="true" />
              </Link>
              <span>{t('legal.version', { version })}</span>
            </li>
          ))}
        </ul>
        {error !== undefined && <ErrorNote error={error} />}
        <div className={classes['actions']}>
          <Button look="primary" loading={isBusy} onClick={() => void agree()}>
            {t('changedTerms.agree')}
          </Button>
          <Button look="quiet" onClick={() => void logOut(language)}>
            {t('shell.logout')}
          </Button>
        </div>
      </Card>
      <p className={classes['ways']}>
        {t('termsWall.otherwise')} <Link to={path('/account/settings#data')}>{t('dataExport.title')}</Link> ·{' '}
        <Link to={path('/account/settings#delete')}>{t('account.deletion')}</Link>
      </p>
    </div>
  )
}
