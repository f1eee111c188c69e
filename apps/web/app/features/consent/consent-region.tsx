import { IconChevronDown } from '@tabler/icons-react'
import { type SubmitEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useLocation } from 'react-router'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { consentOfForm } from './consent.ts'
import classes from './consent-region.module.css'
import { consentState, decideConsent } from './consent-state.ts'
import { useConsent } from './use-consent.ts'

/** Pages that have to be readable before anything is agreed to. */
const excluded = /^\/[a-z]{2}\/(?:privacy-policy|terms-of-service)\/?$/

/** Asks for consent until it is given or refused, on every page but those; the footer opens it again. */
export function ConsentRegion() {
  const { pathname, search } = useLocation()
  const consent = useConsent()
  const { decided, isReopened } = useSyncExternalStore(
    consentState.subscribe,
    consentState.get,
    consentState.getInitial,
  )
  // Without scripts the footer and "Let me choose" open it by the address.
  const asked = decided === null ? new URLSearchParams(search).get('cookies') : null
  const isOpen = isReopened || asked !== null || (consent === null && !excluded.test(pathname))
  return isOpen ? (
    <Choice startsExpanded={isReopened || asked !== null} takesFocus={isReopened} back={pathname + search} />
  ) : null
}

/** A region beside the page, not a dialog over it: it takes no focus and keeps nobody from reading. */
function Choice({ startsExpanded, takesFocus, back }: { startsExpanded: boolean; takesFocus: boolean; back: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const consent = useConsent()
  const [isExpanded, setExpanded] = useState(startsExpanded)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    setExpanded(true)
    title.current?.focus()
  }, [takesFocus])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter)
    if (form.get('choice') === 'choose') setExpanded(true)
    else void decideConsent(form, consentOfForm(form), consent)
  }
  return (
    <section className={classes['region']} aria-labelledby="consent-title" data-consent>
      <form method="post" action="/consent" onSubmit={submit}>
        <input type="hidden" name="back" value={back} />
        <h2 id="consent-title" ref={title} tabIndex={-1}>
          {t('consent.title')}
        </h2>
        <p>
          {t('consent.text')} <Link to={path('/privacy-policy')}>{t('consent.policy')}</Link>
        </p>
        {isExpanded && (
          <div className={classes['sections']}>
            <Section name="essential" isOn />
            <Section name="analytics" isOn={consent?.analytics_storage ?? false} />
            <Section name="advertising" isOn={consent?.ad_storage ?? false} />
          </div>
        )}
        <div className={classes['actions']}>
          <Button type="submit" name="choice" value="necessary">
            {t('consent.necessary')}
          </Button>
          <Button type="submit" name="choice" value="all">
            {t('consent.all')}
          </Button>
          {isExpanded ? (
            <Button type="submit" name="choice" value="chosen" className={classes['wide']}>
              {t('consent.save')}
            </Button>
          ) : (
            <Button type="submit" name="choice" value="choose" look="quiet" className={classes['wide']}>
              {t('consent.choose')}
            </Button>
          )}
        </div>
      </form>
    </section>
  )
}

function Section({ name, isOn }: { name: 'essential' | 'analytics' | 'advertising'; isOn: boolean }) {
  const { t } = useTranslation()
  const isFixed = name === 'essential'
  return (
    <div className={classes['section']}>
      <details>
        <summary>
          <IconChevronDown size={16} aria-hidden="true" />
          {t(`consent.${name}.title`)}
        </summary>
        <p>{t(`consent.${name}.text`)}</p>
      </details>
      <input
        type="checkbox"
        role="switch"
        name={name}
        value="on"
        defaultChecked={isOn}
        disabled={isFixed}
        title={isFixed ? t('consent.always') : undefined}
        aria-label={t(`consent.${name}.title`)}
      />
    </div>
  )
}
