import type { WordPage as Page } from '@wakestone/contract/site/document'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useUser } from '#app/features/session/use-user.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { WordSection } from './word-section.tsx'
import classes from './word-page.module.css'

/** A public page of words: what it is about, its sections, and at the end once more what to do. */
export function WordPage({ page, aside, children }: { page: Page; aside: ReactNode; children?: ReactNode }) {
  const { t } = useTranslation()
  const user = useUser()
  // Whoever is signed in has an account.
  const actions = page.actions.filter(({ to }) => user === null || !to.endsWith('/register'))
  return (
    <>
      <section className={classes['hero']}>
        <div className={classes['words']}>
          {page.is_soon && <p className={classes['soon']}>{t('words.soon')}</p>}
          <h1>{page.title}</h1>
          <p className={classes['lead']}>{page.lead}</p>
          <Actions actions={actions} />
        </div>
        <div className={classes['aside']}>{aside}</div>
      </section>
      {page.sections.map((section) => (
        <WordSection key={section.id} section={section} />
      ))}
      {children}
      {actions.length > 0 && (
        <section className={classes['end']} data-print="hide">
          <h2>{t('words.ready')}</h2>
          <Actions actions={actions} />
        </section>
      )}
    </>
  )
}

function Actions({ actions }: { actions: Page['actions'] }) {
  if (actions.length === 0) return null
  return (
    <div className={classes['actions']}>
      {actions.map(({ label, to }, index) => (
        <LinkButton key={to} to={to} look={index === 0 ? 'primary' : 'secondary'} size="large">
          {label}
        </LinkButton>
      ))}
    </div>
  )
}
