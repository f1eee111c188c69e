import '#app/ui/panel-styles.ts'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { Affiliate } from '@wakestone/contract/sales/affiliate'
import { createQueryClient } from '#app/api/query-client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import { Address } from '#app/ui/address.tsx'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { affiliateQuery } from '#app/features/payment/affiliate-query.ts'
import { ApplyForm } from './apply-form.tsx'
import { PayoutForm } from './payout-form.tsx'
import classes from './member.module.css'

const looks = {
  waiting: { colour: 'lantern', shape: 'pulse' },
  approved: { colour: 'moss', shape: 'filled' },
  suspended: { colour: 'ember', shape: 'square' },
} as const

/** What somebody who is signed in sees of the programme: their application, or their link and what it has brought. */
export default function MemberPart() {
  const language = useLanguage()
  // Public pages have none of their own.
  const [client] = useState(() =>
    createQueryClient(() => location.assign(`/${language}/login?from=${location.pathname}`)),
  )
  return (
    <QueryClientProvider client={client}>
      <div className={classes['page']}>
        <Mine />
      </div>
    </QueryClientProvider>
  )
}

function Mine() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const [days, setDays] = useState<'30' | '90' | '365'>('30')
  const { data, error, refetch } = useQuery(affiliateQuery(id, Number(days)))
  if (data === undefined)
    return error === null ? <Skeleton height={260} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  if (data.state === 'none')
    return (
      <Card title={t('affiliate.apply')} id="mine">
        <ApplyForm />
      </Card>
    )
  return (
    <section className={classes['member']} id="mine">
      <Card>
        <div className={classes['head']}>
          <h2>{t('affiliate.mine')}</h2>
          <Badge {...looks[data.state]}>{t(`affiliate.states.${data.state}`)}</Badge>
        </div>
        <p className={classes['note']}>{t(`affiliate.stateTexts.${data.state}`)}</p>
        {data.state === 'approved' && <Link code={data.referral_code} />}
      </Card>
      {data.state !== 'waiting' && (
        <>
          <Earnings affiliate={data} />
          <Card>
            <div className={classes['head']}>
              <h2>{t('affiliate.byDay')}</h2>
              <Segmented
                label={t('affiliate.byDay')}
                value={days}
                onChange={setDays}
                options={(['30', '90', '365'] as const).map((value) => ({
                  value,
                  label: t('affiliate.days', { count: Number(value) }),
                }))}
              />
            </div>
            <Days affiliate={data} />
          </Card>
        </>
      )}
    </section>
  )
}

function Link({ code }: { code: string }) {
  const path = usePath()
  const origin = useRouteLoaderData<typeof loader>('root')?.origin ?? ''
  return (
    <p className={classes['link']}>
      <Address address={`${origin}${path('')}?ref=${code}`} kind="link" />
    </p>
  )
}

/** Currencies in which there is, or was, anything; the first one where there is nothing yet. */
function usedEarnings({ earnings }: Affiliate) {
  const used = earnings.filter(({ pending, available, paid, owed }) => pending + available + paid + owed > 0)
  return used.length > 0 ? used : earnings.slice(0, 1)
}

function Earnings({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes['cards']}>
      {usedEarnings(affiliate).map(({ currency, ...of }) => {
        const money = (amount: number) => format.money({ amount, currency })
        return (
          <Card key={currency} title={t('affiliate.earnings', { currency })}>
            <KeyValueList
              rows={[
                { key: t('affiliate.pending', { count: affiliate.hold_days }), value: money(of.pending) },
                { key: t('affiliate.available'), value: <strong>{money(of.available)}</strong> },
                { key: t('affiliate.paid'), value: money(of.paid) },
                ...(of.owed > 0 ? [{ key: t('affiliate.owed'), value: money(of.owed) }] : []),
              ]}
            />
            {affiliate.state === 'approved' && <PayoutForm currency={currency} available={of.available} />}
          </Card>
        )
      })}
      <Card title={t('affiliate.reach')}>
        <KeyValueList
          rows={[
            { key: t('affiliate.clicks'), value: format.number(affiliate.clicks) },
            { key: t('affiliate.signUps'), value: format.number(affiliate.sign_ups) },
          ]}
        />
      </Card>
    </div>
  )
}

function Days({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { days } = affiliate
  const times = days.map(({ day }) => Date.parse(day) / 1000)
  const currency = usedEarnings(affiliate)[0]?.currency ?? 'EUR'
  const shared = { times, daily: true, emptyText: t('affiliate.nothing') }
  return (
    <div className={classes['charts']}>
      <Chart
        {...shared}
        label={t('affiliate.visits')}
        series={[
          { name: t('affiliate.clicks'), colour: 'dusk', values: days.map(({ clicks }) => clicks) },
          { name: t('affiliate.signUps'), colour: 'moss', values: days.map(({ sign_ups }) => sign_ups) },
        ]}
        write={(value) => format.number(value)}
        height={180}
      />
      <Chart
        {...shared}
        label={t('affiliate.earnings', { currency })}
        series={[
          {
            name: t('affiliate.earnings', { currency }),
            colour: 'lantern',
            values: days.map(({ earned }) => earned[currency] ?? 0),
          },
        ]}
        write={(amount) => format.price({ amount, currency })}
        height={180}
      />
    </div>
  )
}
