import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { changeReferralCodeBody } from '@wakestone/contract/sales/referral'
import { changeReferralCode, getOwnReferralCode } from '@wakestone/contract/sales/referrals-routes'
import { useRouteLoaderData } from 'react-router'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Address } from '#app/ui/address.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import shared from '../account.module.css'
import classes from './invite-section.module.css'

export const inviteQuery = (userId: string, client: ApiClient = api) =>
  queryOf(getOwnReferralCode, { params: { id: userId } }, { client })

/** The link by which friends come, and the code in it. */
export function InviteSection() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const path = usePath()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  const { data: own, error, refetch } = useQuery(inviteQuery(id))
  return (
    <Card title={t('invite.title')} id="invite">
      <p className={shared['text']}>{t('invite.text', { count: own?.additional_time ?? 24 })}</p>
      {own !== undefined ? (
        <>
          <p className={classes['link']}>
            <Address address={`${origin}${path('')}?ref=${own.referral_code}`} kind="link" />
          </p>
          <CodeForm code={own.referral_code} key={own.referral_code} />
        </>
      ) : error === null ? (
        <Skeleton height={90} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function CodeForm({ code }: { code: string }) {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const queries = useQueryClient()
  const form = useZodForm(changeReferralCodeBody, { code })
  const submit = form.submit(async (body) => {
    if (body.code === code) return
    try {
      await api(changeReferralCode, { params: { userId: id, oldRef: code }, body })
    } catch (error) {
      if (errorBodyOf(error)?.error === 'resource_already_exists') return form.refuse('code', 'taken')
      throw error
    }
    await queries.invalidateQueries(inviteQuery(id))
  })
  const isLimited = errorBodyOf(form.failure)?.error === 'too_many_requests'
  return (
    <form className={shared['form']} noValidate onSubmit={submit}>
      <TextInput
        label={t('invite.code')}
        description={t('invite.codeHint')}
        autoComplete="off"
        spellCheck={false}
        {...form.field('code')}
      />
      {form.failure !== undefined &&
        (isLimited ? <p role="alert">{t('invite.tooSoon')}</p> : <ErrorNote error={form.failure} />)}
      <Button type="submit" loading={form.busy}>
        {t('invite.save')}
      </Button>
    </form>
  )
}
