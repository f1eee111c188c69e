import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useRevalidator } from 'react-router'
import { z } from 'zod'
import { cancelDeletion, confirmDeletion, resendDeletionCode } from '@wakestone/contract/accounts/account-routes'
import { digitsSchema } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './account.module.css'

const codeForm = z.object({ code: digitsSchema })

/**
 * The end of the account: a code by mail, 14 days to think again, and what is lost. `hasCode`: whoever comes says that
 * they have one; whether one was sent, nobody knows here.
 */
export function DeletionSection({ hasCode = false }: { hasCode?: boolean }) {
  const { t } = useTranslation()
  const { destroy_at } = useSignedInUser()
  const [isAsked, setAsked] = useState(hasCode)
  return (
    <Card title={t('account.deletion')} id="delete">
      {destroy_at !== null ? (
        <Scheduled at={destroy_at} />
      ) : (
        <>
          <p className={classes['text']}>{t('account.deletionText')}</p>
          {isAsked ? <CodeForm isSent={!hasCode} /> : <AskForCode onAsked={() => setAsked(true)} />}
        </>
      )}
    </Card>
  )
}

function AskForCode({ onAsked }: { onAsked: () => void }) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const ask = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await api(resendDeletionCode, {})
      onAsked()
    } catch (failure) {
      // It was sent a moment ago: the code is on its way.
      if (errorBodyOf(failure)?.error === 'email_already_sent') onAsked()
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['form']}>
      {error !== undefined && <ErrorNote error={error} />}
      <Button look="danger" loading={isBusy} onClick={() => void ask()}>
        {t('account.askForCode')}
      </Button>
    </div>
  )
}

function CodeForm({ isSent }: { isSent: boolean }) {
  const { t } = useTranslation()
  const { email } = useSignedInUser()
  const { revalidate } = useRevalidator()
  const form = useZodForm(codeForm, { code: '' })
  const submit = form.submit(async ({ code }) => {
    try {
      await api(confirmDeletion, { query: { code } })
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'no_code') throw error
      return form.refuse('code', 'digits_wrong')
    }
    await revalidate()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <p>
        <Trans
          i18nKey={isSent ? 'account.codeSent' : 'deletion.typeCode'}
          values={{ email }}
          components={{ b: <b /> }}
        />
      </p>
      <TextInput
        label={t('emailLogin.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.field('code')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" look="danger" loading={form.busy}>
        {t('account.delete')}
      </Button>
      <NewCode />
    </form>
  )
}

function NewCode() {
  const { t } = useTranslation()
  const [step, setStep] = useState<'ask' | 'busy' | 'sent' | 'soon'>('ask')
  const [error, setError] = useState<unknown>(undefined)
  const ask = async () => {
    setStep('busy')
    setError(undefined)
    try {
      await api(resendDeletionCode, {})
      setStep('sent')
    } catch (failure) {
      const isSoon = errorBodyOf(failure)?.error === 'email_already_sent'
      setStep(isSoon ? 'soon' : 'ask')
      if (!isSoon) setError(failure)
    }
  }
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <p aria-live="polite" hidden={step !== 'sent' && step !== 'soon'}>
        {step === 'sent' && t('deletion.resent')}
        {step === 'soon' && t('deletion.justSent')}
      </p>
      <Button look="quiet" loading={step === 'busy'} onClick={() => void ask()}>
        {t('deletion.resend')}
      </Button>
    </>
  )
}

function Scheduled({ at }: { at: string }) {
  const { t } = useTranslation()
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const keep = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await api(cancelDeletion, {})
      await revalidate()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['form']}>
      <p>
        {t('account.deletedAt')} <DateTime value={at} />
      </p>
      {error !== undefined && <ErrorNote error={error} />}
      <Button look="primary" loading={isBusy} onClick={() => void keep()}>
        {t('account.keep')}
      </Button>
    </div>
  )
}
