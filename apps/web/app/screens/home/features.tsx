import {
  IconHeartHandshake,
  IconDeviceFloppy,
  IconLayoutDashboard,
  IconMessage2,
  IconMoonStars,
  IconShieldHalf,
} from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { socialName } from '#app/features/site/social-name.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { usePath } from '#app/i18n/use-format.ts'
import classes from './features.module.css'
import { Section } from './section.tsx'

const features = [
  { key: 'panel', Icon: IconLayoutDashboard },
  { key: 'sleep', Icon: IconMoonStars },
  { key: 'backups', Icon: IconDeviceFloppy },
  { key: 'protection', Icon: IconShieldHalf },
  { key: 'support', Icon: IconMessage2 },
  { key: 'community', Icon: IconHeartHandshake },
] as const

/** What the product does today. */
export function Features() {
  const { t } = useTranslation()
  const path = usePath()
  const { socialLinks, sourceUrl } = useSite()
  return (
    <Section title={t('home.features.title')}>
      <ul className={classes['features']}>
        {features.map((feature) => (
          <li key={feature.key}>
            <feature.Icon size={22} stroke={1.7} aria-hidden="true" />
            <h3>{t(`home.features.${feature.key}.title`)}</h3>
            <p>{t(`home.features.${feature.key}.text`)}</p>
            {feature.key === 'support' && <Link to={path('/contact')}>{t('home.features.support.link')}</Link>}
            {feature.key === 'community' && sourceUrl !== undefined && (
              <a href={sourceUrl} rel="noopener">
                {t('home.features.community.source')}
              </a>
            )}
            {feature.key === 'community' &&
              socialLinks.map((address) => (
                <a key={address} href={address} rel="me noopener">
                  {socialName(address)}
                </a>
              ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
