import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@wakestone/contract/client'
import { redeemIntoWallet, redeemOnService } from '@wakestone/contract/sales/vouchers-routes'
import type { Redemption, ShownVoucher } from '@wakestone/contract/sales/voucher'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutServer, aboutService, aboutUser, aboutWallet, aboutWithdrawal } from '#app/api/stale-answers.ts'
import { serversQuery, walletsQuery } from '#app/api/queries.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import classes from './use.module.css'

type Place = { kind: 'wallet' | 'service'; id: string; label: string }

type Places = { places: Place[] | undefined; error: Error | null; retry: () => void }

/** Where a voucher can be redeemed by itself: wallets of its currencies, or servers of its plans. */
function usePlaces({ data }: ShownVoucher): Places {
  const user = useSignedInUser()
  const format = useFormat()
  const { t } = useTranslation()
  const isMoney = data.wallet_tx !== null
  const wallets = useQuery({ ...walletsQuery(user.id), enabled: isMoney })
  const servers = useQuery({ ...serversQuery(user.id), enabled: !isMoney })
  const currencies: string[] = data.wallet_tx?.map(({ currency }) => currency) ?? []
  if (isMoney)
    return {
      error: wallets.error,
      retry: () => void wallets.refetch(),
      places: wallets.data
        ?.filter(({ currency }) => currencies.includes(currency))
        .map(({ id, currency, balance }) => ({
          kind: 'wallet',
          id,
          label: `${t('create.walletOption', { currency })}, ${format.money(balance)}`,
        })),
    }
  const hasEffect = data.add_hours !== null || data.coupon !== null || data.add_product !== null
  const fits = (product: string) => data.product_id.length === 0 || data.product_id.includes(product)
  return {
    error: servers.error,
    retry: () => void servers.refetch(),
    places: servers.data
      ?.filter((server) => hasEffect && !data.new_server && server.owner_id === user.id && fits(server.product_id))
      .map((server) => ({ kind: 'service', id: server.service_id, label: `${server.name}, ${server.address}` })),
  }
}

/** Chooses where a voucher goes, and redeems it; what can only be ordered with it is led to. */
export function RedeemVoucher({ voucher }: { voucher: ShownVoucher }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { places, error: unreadable, retry } = usePlaces(voucher)
  const [chosen, setChosen] = useState<string | null>(null)
  const place = places?.find(({ id }) => id === chosen) ?? places?.[0]
  const redeem = useMutation({
    mutationFn: ({ kind, id }: Place) => {
      const order = { kind, id, code: voucher.code }
      const call = { params: { id }, body: { voucher: voucher.code } }
      const idempotencyKey = attemptKey(order, window.sessionStorage)
      return api(kind === 'wallet' ? redeemIntoWallet : redeemOnService, { ...call, idempotencyKey })
    },
    onSuccess: async () => {
      endAttempt(window.sessionStorage)
      await makeStale(queries, ...aboutUser(), ...aboutWallet(), ...aboutService(), aboutWithdrawal(), ...aboutServer())
    },
    onError: (error) => {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (error instanceof ApiError && error.status < 500) endAttempt(window.sessionStorage)
    },
  })
  if (redeem.data !== undefined) return <Redeemed given={redeem.data} />
  return (
    <div className={classes['ways']}>
      {places === undefined &&
        (unreadable === null ? <SkeletonText lines={2} /> : <ErrorState error={unreadable} onRetry={retry} />)}
      {places !== undefined && place !== undefined && (
        <>
          <NativeSelect
            label={place.kind === 'wallet' ? t('vouchers.intoWallet') : t('vouchers.onServer')}
            value={place.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={places.map(({ id, label }) => ({ value: id, label }))}
          />
          {redeem.error !== null && <ErrorNote error={redeem.error} title={t('vouchers.failed')} />}
          <Button look="primary" size="large" loading={redeem.isPending} onClick={() => redeem.mutate(place)}>
            {t('vouchers.redeem')}
          </Button>
        </>
      )}
      {places !== undefined && place === undefined && voucher.data.new_cost === null && !voucher.data.new_server && (
        <p className={classes['muted']}>{t('vouchers.nowhere')}</p>
      )}
      {voucher.data.wallet_tx === null && places !== undefined && (
        <OrderWith voucher={voucher} isOnlyWay={place === undefined} />
      )}
    </div>
  )
}

/** A new server, ordered with the voucher. */
function OrderWith({ voucher, isOnlyWay }: { voucher: ShownVoucher; isOnlyWay: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  const { code, data } = voucher
  const product = data.product_id[0]
  const query = new URLSearchParams({ ...(product !== undefined && { product }), voucher: code })
  const renewable =
    data.new_cost === null
      ? []
      : servers.filter((server) => server.owner_id === user.id && data.product_id.includes(server.product_id))
  return (
    <>
      {renewable.map((server) => (
        <LinkButton key={server.id} to={`${serverPath(server)}/payments/renew?voucher=${code}`} look="secondary">
          {t('vouchers.renewWith', { server: server.name })}
        </LinkButton>
      ))}
      <LinkButton to={path(`/create?${query}`)} look={isOnlyWay ? 'primary' : 'secondary'}>
        {t(data.new_server ? 'vouchers.createServer' : 'vouchers.orderWith')}
      </LinkButton>
    </>
  )
}

function Redeemed({ given }: { given: Redemption }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  return (
    <div className={classes['done']} role="status">
      <strong>{t('vouchers.done')}</strong>
      {given.amount !== null && <p>{t('vouchers.doneMoney', { amount: format.money(given.amount) })}</p>}
      {given.add_hours > 0 && given.expires !== null && (
        <p>{t('vouchers.doneHours', { date: format.dateTime(given.expires) })}</p>
      )}
      {given.coupon && <p>{t('vouchers.doneCoupon')}</p>}
      {given.added_service_id !== null && <p>{t('vouchers.doneAddOn')}</p>}
      <LinkButton to={given.wallet_id === null ? path('/s') : path(`/wallets/${given.wallet_id}`)}>
        {given.wallet_id === null ? t('vouchers.toServers') : t('vouchers.toWallet')}
      </LinkButton>
    </div>
  )
}
