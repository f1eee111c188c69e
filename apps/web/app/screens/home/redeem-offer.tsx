import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useSearchParams } from 'react-router'
import type { Product } from '@wakestone/contract/sales/product'
import type { Currency } from '@wakestone/contract/values'
import { useFlag } from '#app/features/flags/use-flag.ts'
import type { Plan } from '#app/features/offers/offer-prices.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { readRedeemedTrials } from '#app/features/vouchers/redeemed-trials.ts'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { findRedeemable, triedProducts } from './redeem.ts'

const RedeemDialog = lazy(() => import('./redeem-dialog.tsx'))

/** Offers a trial server where the address asks for it; nothing while the flag is off. */
export function RedeemOffer({ products, currency }: { products: readonly Product[] | null; currency: Currency }) {
  const { t } = useTranslation()
  const isOn = useFlag('redeem-free-server')
  const user = useUser()
  const isSignedIn = user !== null
  const [search] = useSearchParams()
  const [plan, setPlan] = useState<Plan | null>(null)
  useEffect(() => {
    if (!isOn) return
    const redeemed = [...readRedeemedTrials(), ...triedProducts(user?.voucher_uses ?? [], Date.now())]
    const found = findRedeemable({ search, products, isSignedIn, redeemed, currency })
    if (found?.kind === 'offer') setPlan(found.plan)
    if (found?.kind === 'failed') showErrorToast('service_unavailable', t('home.redeem.failed'))
    if (found?.kind === 'redeemed') showErrorToast('product_not_available', t('home.redeem.redeemed'))
    // Asked once, by the address the page was opened with.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  if (plan === null) return null
  return (
    <Suspense>
      <RedeemDialog plan={plan} onClose={() => setPlan(null)} />
    </Suspense>
  )
}
