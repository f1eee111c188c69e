import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { faq } from '#app/features/faq/faq.ts'
import { usePath } from '#app/i18n/use-format.ts'
import classes from './home.module.css'
import { Section } from './section.tsx'

export function Questions() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <Section id="questions" title={t('home.faq')}>
      <div className={classes['questions']}>
        {faq.map(({ name, question, answer }) => (
          <details key={name}>
            <summary>
              <span>{t(question)}</span>
              <IconChevronDown size={18} aria-hidden="true" />
            </summary>
            <p>{t(answer)}</p>
          </details>
        ))}
      </div>
      <p className={classes['under']}>
        {t('home.faqMore')} <Link to={path('/contact')}>{t('home.features.support.link')}</Link>
      </p>
    </Section>
  )
}
