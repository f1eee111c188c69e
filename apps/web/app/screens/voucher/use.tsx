import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { VoucherEffects } from '#app/features/vouchers/voucher-effects.tsx'
import { tidyCode, voucherQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/use'
import { RedeemVoucher } from './redeem-voucher.tsx'
import classes from './use.module.css'

export function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  return null
}

/** `/{lang}/voucher/use`: a code is looked at first, and then redeemed where its holder wants it. */
export default function UseVoucher() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const code = tidyCode(search.get('code') ?? '')
  return (
    <>
      <PageMeta page="useVoucher" />
      <PageHeader title={t('vouchers.title')} text={t('vouchers.text')} />
      <div className={classes['column']}>
        <CodeForm key={code} code={code} />
        {code !== '' && <FoundVoucher key={`found ${code}`} code={code} />}
      </div>
    </>
  )
}

function CodeForm({ code }: { code: string }) {
  const { t } = useTranslation()
  const [, setSearch] = useSearchParams()
  const [typed, setTyped] = useState(code)
  const [isMissing, setMissing] = useState(false)
  return (
    <Card>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          const wanted = tidyCode(typed)
          setMissing(wanted === '')
          if (wanted !== '') setSearch({ code: wanted }, { replace: true })
        }}
      >
        <TextInput
          className={classes['code'] ?? ''}
          label={t('vouchers.code')}
          description={t('vouchers.codeHint')}
          name="code"
          size="md"
          value={typed}
          maxLength={64}
          error={isMissing && t('fields.required')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" look={code === '' ? 'primary' : 'secondary'} size="large">
          {t('vouchers.look')}
        </Button>
      </form>
    </Card>
  )
}

function FoundVoucher({ code }: { code: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: voucher, error } = useQuery(voucherQuery(code))
  if (error !== null) return <ErrorNote error={error} title={t('vouchers.refused')} />
  if (voucher === undefined)
    return (
      <Card>
        <SkeletonText lines={4} />
      </Card>
    )
  return (
    <Card title={t('vouchers.itGives')} beside={t('vouchers.until', { date: format.date(voucher.expires) })}>
      <div className={classes['step']}>
        <VoucherEffects data={voucher.data} />
        <RedeemVoucher voucher={voucher} />
      </div>
    </Card>
  )
}
