import { TextInput } from '@mantine/core'
import { IconDice5 } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { suggestName } from '#app/features/servers/suggest-name.ts'
import { Button } from '#app/ui/button.tsx'
import classes from './create.module.css'
import { Step, type StepProps } from './step.tsx'
import type { Availability } from './use-availability.ts'

type Props = StepProps & {
  zone: string | undefined
  availability: Availability
  /** Told when somebody begins to type a name or an address, and when they have ended. */
  onTyping: (isTyping: boolean) => void
  nameFault: string | null
  subdomainFault: string | null
  isTried: boolean
}

/** What the server is called and where it is joined; the address follows the name until it gets a mind of its own. */
export function NameStep({
  choice,
  draft,
  update,
  refusal,
  zone,
  availability,
  onTyping,
  nameFault,
  subdomainFault,
  isTried,
}: Props) {
  const { t } = useTranslation()
  const [left, setLeft] = useState({ name: false, subdomain: false })
  const wasTyped = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const leave = (one: 'name' | 'subdomain') => {
    onTyping(false)
    setLeft((old) => ({ ...old, [one]: true }))
  }
  // A name is suggested in the browser alone: the page that came from the server has none yet. Whoever began to type on
  // that page, or is about to, keeps what they type.
  useLayoutEffect(() => {
    const typed = field.current?.value ?? ''
    if (typed !== draft.name) {
      wasTyped.current = true
      update({ name: typed })
    } else if (typed === '' && document.activeElement !== field.current) update({ name: suggestName() })
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page comes to life
  }, [])
  const address = `${choice.subdomain}.${zone ?? ''}`
  // A fault is said once the field was left or the form sent; that an address is taken, as soon as it is known.
  const shownNameFault = (left.name || isTried) && nameFault
  const isKnownTaken = availability === 'taken' || availability === 'reserved'
  const shownSubdomainFault =
    (left.subdomain || isTried || isKnownTaken) && choice.subdomain !== ''
      ? subdomainFault
      : (left.subdomain || isTried) && subdomainFault
  return (
    <Step title={t('create.nameSection')} parts={['name', 'subdomain']} refusal={refusal}>
      <div className={classes.nameLine}>
        <TextInput
          ref={field}
          label={t('create.name')}
          value={draft.name}
          maxLength={32}
          autoComplete="off"
          error={shownNameFault || false}
          // What was only suggested is typed over.
          onFocus={(event) => wasTyped.current || event.currentTarget.select()}
          onChange={(event) => {
            wasTyped.current = true
            onTyping(true)
            update({ name: event.currentTarget.value })
          }}
          onBlur={() => {
            leave('name')
            if (!wasTyped.current && draft.name === '') update({ name: suggestName() })
          }}
        />
        <Button icon={<IconDice5 />} onClick={() => update({ name: suggestName(), subdomain: null })} type="button">
          {t('create.suggest')}
        </Button>
      </div>
      {choice.isFree ? (
        <p className={classes.muted}>{t('create.generated', { address: `misty-allay-1234.${zone ?? ''}` })}</p>
      ) : (
        <>
          <TextInput
            label={t('create.subdomain')}
            value={choice.subdomain}
            maxLength={32}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            classNames={{ input: classes.address ?? '' }}
            rightSection={zone !== undefined && <span className={classes.zone}>.{zone}</span>}
            rightSectionWidth={`calc(${(zone?.length ?? 0) + 1}ch + 24px)`}
            error={shownSubdomainFault || false}
            onChange={(event) => {
              onTyping(true)
              update({ subdomain: event.currentTarget.value.toLowerCase().replaceAll(' ', '-') })
            }}
            onBlur={() => leave('subdomain')}
          />
          {!shownSubdomainFault && (
            <p className={classes.availability} data-answer={availability} role="status">
              {availability === 'free'
                ? t('create.free', { address })
                : availability === 'checking'
                  ? t('create.checking')
                  : availability === 'uncheckable'
                    ? t('create.uncheckable')
                    : t('create.subdomainHint')}
            </p>
          )}
        </>
      )}
    </Step>
  )
}
