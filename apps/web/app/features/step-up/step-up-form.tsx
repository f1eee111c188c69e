import { PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { z } from 'zod'
import { beginStepUpPasskey, getStepUp, mailStepUp, stepUp } from '@wakestone/contract/accounts/security-routes'
import { factorCodeBody, type StepUp, type StepUpMethod, stepUpMinutes } from '@wakestone/contract/accounts/security'
import { digitsSchema } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { signWithPasskey } from '#app/features/passkeys/ask.ts'
import { PasskeyButton } from '#app/features/passkeys/passkey-button.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import type { KnownReason } from '#app/ui/reason-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './step-up-form.module.css'

type Proof = { onDone: () => void }

/** The best way to prove it first; the others are a click away. */
export default function StepUpForm({ onDone }: Proof) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(
    queryOf(
      getStepUp,
      {},
      {
        staleTime: 0,
        gcTime: 0,
      },
    ),
  )
  const [chosen, setChosen] = useState<StepUpMethod | undefined>(undefined)
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
    return <Skeleton height={140} />
  }
  const method = chosen ?? data.methods[0] ?? 'mail'
  const others = data.methods.filter((other) => other !== method)
  return (
    <div className={classes['form']}>
      <p className={classes['text']}>{t('stepUp.text', { count: stepUpMinutes })}</p>
      {method === 'password' && <PasswordProof needs={data.password_needs} onDone={onDone} />}
      {method === 'code' && <CodeProof onDone={onDone} />}
      {method === 'passkey' && <PasskeyProof onDone={onDone} />}
      {method === 'mail' && <MailProof onDone={onDone} />}
      {others.length > 0 && (
        <div className={classes['others']}>
          {others.map((other) => (
            <Button key={other} look="quiet" size="small" onClick={() => setChosen(other)}>
              {t(`stepUp.by.${other}`)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

const passwordForm = z.object({ password: z.string().min(1, 'required').max(128), code: z.string() })
const passwordAndCodeForm = passwordForm.extend(factorCodeBody.shape)

/** A field that is typed into at once: the dialog has just opened for it. */
function useFocus() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}

function PasswordProof({ needs, onDone }: Proof & { needs: StepUp['password_needs'] }) {
  const { t } = useTranslation()
  const field = useFocus()
  const { username } = useSignedInUser()
  const form = useZodForm(needs !== null ? passwordAndCodeForm : passwordForm, { password: '', code: '' })
  const submit = form.submit(async ({ password, code }) => {
    try {
      await api(stepUp, { body: { method: 'password', password, ...(needs !== null && { code }) } })
    } catch (error) {
      const refusal = errorBodyOf(error)?.error
      if (refusal === 'invalid_user_password') return form.refuse('password', 'password_wrong')
      if (refusal === 'no_code') return form.refuse('code', 'factor_wrong')
      throw error
    }
    onDone()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      {/* For password managers. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        ref={field}
        label={t('account.ownPassword')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        {...form.field('password')}
      />
      {needs !== null && (
        <TextInput
          label={t(needs === 'code' ? 'secondStep.code' : 'secondStep.recoveryCode')}
          description={needs === 'code' ? t('secondStep.codeHint') : undefined}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('code')}
        />
      )}
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" look="primary" fullWidth loading={form.busy}>
        {t('stepUp.submit')}
      </Button>
    </form>
  )
}

function CodeProof({ onDone }: Proof) {
  const { t } = useTranslation()
  return (
    <CodeForm
      schema={factorCodeBody}
      label={t('secondStep.code')}
      hint={t('secondStep.codeHint')}
      wrong="factor_wrong"
      send={(code) => api(stepUp, { body: { method: 'code', code } })}
      onDone={onDone}
    />
  )
}

function PasskeyProof({ onDone }: Proof) {
  const prove = async () => {
    const response = await signWithPasskey(await api(beginStepUpPasskey, {}))
    if (response === undefined) return
    await api(stepUp, { body: { method: 'passkey', response } })
    onDone()
  }
  return <PasskeyButton onPress={prove} look="primary" size="normal" autoFocus />
}

const digitsForm = z.object({ code: digitsSchema })

function MailProof({ onDone }: Proof) {
  const { t } = useTranslation()
  const { email } = useSignedInUser()
  const [step, setStep] = useState<'ask' | 'busy' | 'sent'>('ask')
  const [error, setError] = useState<unknown>(undefined)
  const ask = async () => {
    setStep('busy')
    setError(undefined)
    try {
      await api(mailStepUp, {})
      setStep('sent')
    } catch (failure) {
      // It was sent a moment ago: the code is on its way.
      const isSent = errorBodyOf(failure)?.error === 'email_already_sent'
      setStep(isSent ? 'sent' : 'ask')
      if (!isSent) setError(failure)
    }
  }
  if (step !== 'sent')
    return (
      <div className={classes['form']}>
        <p>{t('stepUp.mail', { email })}</p>
        {error !== undefined && <ErrorNote error={error} />}
        <Button look="primary" fullWidth loading={step === 'busy'} onClick={() => void ask()}>
          {t('emailLogin.submit')}
        </Button>
      </div>
    )
  return (
    <CodeForm
      schema={digitsForm}
      label={t('emailLogin.code')}
      hint={t('stepUp.mailSent', { email })}
      wrong="digits_wrong"
      send={(code) => api(stepUp, { body: { method: 'mail', code } })}
      onDone={onDone}
    />
  )
}

function CodeForm({
  schema,
  label,
  hint,
  wrong,
  send,
  onDone,
}: Proof & {
  schema: typeof factorCodeBody | typeof digitsForm
  label: string
  hint: string
  wrong: KnownReason
  send: (code: string) => Promise<unknown>
}) {
  const { t } = useTranslation()
  const field = useFocus()
  const form = useZodForm(schema as typeof factorCodeBody, { code: '' })
  const submit = form.submit(async ({ code }) => {
    try {
      await send(code)
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'no_code') throw error
      return form.refuse('code', wrong)
    }
    onDone()
  })
  return (
    <form className={classes['form']} noValidate onSubmit={submit}>
      <TextInput
        ref={field}
        label={label}
        description={hint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('code')}
      />
      {form.failure !== undefined && <ErrorNote error={form.failure} />}
      <Button type="submit" look="primary" fullWidth loading={form.busy}>
        {t('stepUp.submit')}
      </Button>
    </form>
  )
}
