import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useLocation, useRouteLoaderData } from 'react-router'
import { reopenConsent } from '#app/features/consent/consent-state.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { socialName } from '#app/features/site/social-name.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { ReportBugLink } from '#app/features/support/report-bug-link.tsx'
import { countryName } from '#app/i18n/format.ts'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Brand } from '#app/ui/brand.tsx'
import classes from './footer.module.css'

/** Foot of the public pages. */
export function Footer() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useUser()
  const language = useLanguage()
  const { docsUrl, socialLinks, sourceUrl } = useSite()
  const wallet = user?.wallets[0]
  return (
    <footer className={classes['footer']}>
      <div className={classes['wrap']}>
        <div className={classes['about']}>
          <Brand />
          <p>{t('footer.motto')}</p>
          <Prices />
        </div>
        <nav className={classes['groups']} aria-label={t('footer.label')}>
          <Group title={t('footer.navigation')}>
            <Link to={path('')}>{t('footer.home')}</Link>
            <Link to={path('/offers')}>{t('nav.plans')}</Link>
            <Link to={path('/parents')}>{t('nav.parents')}</Link>
            <Link to={path('/partnership')}>{t('footer.partnership')}</Link>
            <Link to={path('/affiliate')}>{t('footer.affiliate')}</Link>
          </Group>
          <Group title={t('footer.forUser')}>
            {user === null ? (
              <>
                <Link to={path('/login')}>{t('shell.login')}</Link>
                <Link to={path('/register')}>{t('shell.register')}</Link>
              </>
            ) : (
              <>
                <Link to={path('/s')}>{t('shell.panel')}</Link>
                <Link to={path('/create')}>{t('shell.newServer')}</Link>
                {wallet !== undefined && <Link to={path(`/wallets/${wallet.id}`)}>{t('shell.wallet')}</Link>}
              </>
            )}
            <Link to={path('/newsletter')}>{t('footer.newsletter')}</Link>
            <a href="/api/docs">{t('shell.api')}</a>
          </Group>
          <Group title={t('footer.regulations')}>
            <Link to={path('/terms-of-service')}>{t('footer.termsOfService')}</Link>
            <Link to={path('/privacy-policy')}>{t('footer.privacyPolicy')}</Link>
            <Link to={path('/terms-and-conditions')}>{t('footer.termsAndConditions')}</Link>
            <Link to={path('/store-terms')}>{t('footer.storeTerms')}</Link>
            <Link to={path('/newsletter-terms')}>{t('footer.newsletterTerms')}</Link>
            <CookieEntry />
          </Group>
          <Group title={t('footer.support')}>
            <ReportBugLink />
            <Link to={path('/contact')}>{t('nav.contact')}</Link>
            {docsUrl === undefined ? (
              <Link to={path('/docs')}>{t('footer.docs')}</Link>
            ) : (
              <a href={docsUrl.replaceAll('{lang}', language)}>{t('footer.docs')}</a>
            )}
          </Group>
          {socialLinks.length > 0 && (
            <Group title={t('footer.social')}>
              {socialLinks.map((address) => (
                <a key={address} href={address} rel="me noopener">
                  {socialName(address)}
                </a>
              ))}
            </Group>
          )}
        </nav>
        <p className={classes['last']}>
          {sourceUrl === undefined ? (
            <span>{t('shell.licence')}</span>
          ) : (
            <a href={sourceUrl} rel="noopener">
              {t('shell.licence')}
            </a>
          )}
          <Build />
        </p>
      </div>
    </footer>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes['group']}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Which version this is, and since when. */
function Build() {
  const { t } = useTranslation()
  const format = useFormat()
  const build = useRouteLoaderData<typeof loader>('root')?.build
  if (build === undefined) return null
  return <span>{t('footer.build', { version: build.version, date: format.date(build.date) })}</span>
}

/** Whose VAT is in the prices. */
function Prices() {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const visitor = useRouteLoaderData<typeof loader>('root')?.location
  if (visitor == null) return null
  const country = countryName(visitor.country_code, language)
  return <p>{t('shell.prices', { country, rate: format.percent(visitor.vat_rate) })}</p>
}

/** Opens the cookie choice again; a link, so that it also works without JavaScript. */
function CookieEntry() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const asking = new URLSearchParams(search)
  asking.set('cookies', 'choose')
  return (
    <a
      href={`?${asking}`}
      rel="nofollow"
      onClick={(event) => {
        event.preventDefault()
        reopenConsent(event.currentTarget)
      }}
    >
      {t('footer.cookies')}
    </a>
  )
}
