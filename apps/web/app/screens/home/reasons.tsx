import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './home.module.css'
import { Section } from './section.tsx'

const reasons = ['prices', 'wallet', 'walls', 'leave'] as const

/** Why here and not elsewhere. */
export function Reasons() {
  const { t } = useTranslation()
  return (
    <Section title={t('home.why.title')}>
      <ol className={classes['reasons']}>
        {reasons.map((reason) => (
          <li key={reason}>
            <h3>{t(`home.why.${reason}.title`)}</h3>
            <p>{t(`home.why.${reason}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Open projects that the product really runs on. */
const projects = [
  { key: 'postgresql', name: 'PostgreSQL' },
  { key: 'bubblewrap', name: 'bubblewrap' },
  { key: 'papermc', name: 'PaperMC' },
  { key: 'adoptium', name: 'Eclipse Adoptium' },
  { key: 'prismarinejs', name: 'PrismarineJS' },
  { key: 'nodejs', name: 'Node.js' },
] as const

export function Trusted() {
  const { t } = useTranslation()
  return (
    <Section title={t('home.trusted.title')} text={t('home.trusted.text')}>
      <ul className={classes['trusted']}>
        {projects.map((project) => (
          <li key={project.key}>
            <strong>{project.name}</strong>
            <span>{t(`home.trusted.${project.key}`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
