import { useTranslation } from '#app/i18n/texts.tsx'
import { useConsent } from '#app/features/consent/use-consent.ts'
import { useVisitor } from '#app/features/session/use-visitor.ts'
import { useSite } from '#app/features/site/use-site.ts'
import classes from './home.module.css'
import { Section } from './section.tsx'

/** The operator's reviews by another site: outside Poland, and with consent to advertising only. */
export function Reviews() {
  const { t } = useTranslation()
  const { reviewWidget } = useSite()
  const country = useVisitor()?.country_code
  const consent = useConsent()
  const isAllowed = consent?.ad_storage && consent.ad_user_data && consent.ad_personalization
  if (reviewWidget === undefined || country === undefined || country === 'PL' || !isAllowed) return null
  return (
    <Section title={t('home.reviews')}>
      <iframe
        className={classes['reviews']}
        src={reviewWidget}
        title={t('home.reviews')}
        loading="lazy"
        sandbox="allow-scripts allow-popups"
        referrerPolicy="origin"
      />
    </Section>
  )
}
