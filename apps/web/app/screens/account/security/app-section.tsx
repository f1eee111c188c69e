import { TextInput } from '@mantine/core'
import { IconCheck, IconShieldCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { beginTotp, confirmTotp, removeTotp } from '@wakestone/contract/accounts/security-routes'
import { totpCodeBody } from '@wakestone/contract/accounts/security'
import { api } from '#app/api/client.ts'
import { securityQuery } from '#app/features/session/security-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import { AskFirst } from './ask-first.tsx'
import classes from './security.module.css'

const QrCode = lazy(() => import('./qr-code.tsx'))

type Setup = { secret: string; address: string }
type Props = { onCodes: (codes: readonly string[] | null) => void }

/** Codes of an authenticator app: set up, or switched off. */
export function AppSection({ onCodes }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(securityQuery())
  const [setup, setSetup] = useState<Setup | null>(null)
  const finish = async (codes: readonly string[] | null) => {
    setSetup(null)
    await queries.invalidateQueries(securityQuery())
    onCodes(codes)
  }
  const switchOff = async () => {
    await api(removeTotp, {})
    await queries.invalidateQueries(securityQuery())
  }
  return (
    <Card title={t('security.app')} id="two-step">
      {data === undefined ? (
        error === null ? (
          <Skeleton height={64} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.totp !== null ? (
        <div className={classes['state']}>
          <span className={classes['on']}>
            <IconShieldCheck size={18} aria-hidden="true" />
            {t('security.on')}
          </span>
          <p>
            {t('security.since')} <DateTime value={data.totp.since} />
            {data.totp.last_used_at !== null && (
              <>
                {' · '}
                {t('account.lastUsed')} <DateTime value={data.totp.last_used_at} />
              </>
            )}
          </p>
          <AskFirst
            label={t('security.switchOff')}
            title={t('security.appOffTitle')}
            text={t('security.appOffText')}
            onConfirm={switchOff}
          />
        </div>
      ) : setup === null ? (
        <Begin onBegun={setSetup} />
      ) : (
        <Confirm setup={setup} onDone={finish} onCancel={() => setSetup(null)} />
      )}
    </Card>
  )
}

function Begin({ onBegun }: { onBegun: (setup: Setup) => void }) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const begin = async () => {
    setBusy(true)
    setError(undefined)
    try {
      onBegun(await api(beginTotp, {}))
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['form']}>
      <p className={classes['text']}>{t('security.appText')}</p>
      {error !== undefined && <ErrorNote error={error} />}
      <div>
        <Button look="primary" loading={isBusy} onClick={() => void begin()}>
          {t('security.setUp')}
        </Button>
      </div>
    </div>
  )
}

function Confirm({
  setup: { secret, address },
  onDone,
  onCancel,
}: {
  setup: Setup
  onDone: (codes: readonly string[] | null) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const form = useZodForm(totpCodeBody, { code: '' })
  const submit = form.submit(async (body) => {
    try {
      const { recovery_codes } = await api(confirmTotp, { body })
      await onDone(recovery_codes)
    } catch (error) {
      if (errorBodyOf(error)?.error !== 'no_code') throw error
      form.refuse('code', 'factor_wrong')
    }
  })
  return (
    <div className={classes['setup']}>
      <div className={classes['qr']}>
        <Suspense fallback={<Skeleton height={172} />}>
          <QrCode text={address} label={t('security.qr')} />
        </Suspense>
      </div>
      <form className={classes['form']} noValidate onSubmit={submit}>
        <p>
          {t('security.scan')} <a href={address}>{t('security.openApp')}</a>
        </p>
        <div>
          <p className={classes['text']} style={{ marginBottom: 4 }}>
            {t('security.orType')}
          </p>
          <div className={classes['secret']}>
            <code>{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
            <Button size="small" onClick={() => copy(secret)}>
              {copied ? t('address.copied') : t('code.copy')}
            </Button>
          </div>
        </div>
        <TextInput
          label={t('security.firstCode')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          {...form.field('code')}
        />
        {form.failure !== undefined && <ErrorNote error={form.failure} />}
        <div className={classes['buttons']}>
          <Button type="submit" look="primary" loading={form.busy} icon={<IconCheck size={18} aria-hidden="true" />}>
            {t('security.confirm')}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        </div>
      </form>
    </div>
  )
}
