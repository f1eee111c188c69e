import { useTranslation } from '#app/i18n/texts.tsx'
import { Soon } from '#app/features/soon/soon.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import classes from './home.module.css'
import { Section } from './section.tsx'

const steps: readonly { key: 'asleep' | 'waking' | 'running' | 'saved'; colour: BadgeColour; shape: BadgeShape }[] = [
  { key: 'asleep', colour: 'dusk', shape: 'crescent' },
  { key: 'waking', colour: 'lantern', shape: 'filled' },
  { key: 'running', colour: 'moss', shape: 'filled' },
  { key: 'saved', colour: 'muted', shape: 'square' },
]

/** A server that sleeps until somebody joins. */
export function KnockSteps() {
  const { t } = useTranslation()
  return (
    <Section
      id="knock"
      title={
        <>
          {t('home.knock')} <Soon part="sleep" />
        </>
      }
      text={t('home.knockText')}
    >
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <li key={step.key}>
            <Badge colour={step.colour} shape={step.shape}>
              {t(`home.steps.${step.key}.badge`)}
            </Badge>
            <h3>{t(`home.steps.${step.key}.title`)}</h3>
            <p>{t(`home.steps.${step.key}.text`)}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
