import { useTranslation } from '#app/i18n/texts.tsx'
import { isForSale, type OfferChoice, type Plan, priceOf } from '#app/features/offers/offer-prices.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'

/** On to renting this plan; says why where it cannot be rented. */
export function ChoosePlan({ plan, choice, isFeatured }: { plan: Plan; choice: OfferChoice; isFeatured: boolean }) {
  const { t } = useTranslation()
  const path = usePath()
  const look = isFeatured ? 'primary' : 'secondary'
  const text = t('offers.choose', { name: t(`home.products.${plan.id}.name`) })
  const why = priceOf(plan, choice) === undefined ? t('home.noPrice') : t('home.rentWhy')
  return isForSale(plan, choice) ? (
    <LinkButton
      to={path(`/offers/create?product=${plan.id}&period=${choice.period}&currency=${choice.currency}`)}
      look={look}
      fullWidth
    >
      {text}
    </LinkButton>
  ) : (
    <Button look={look} fullWidth why={why}>
      {text}
    </Button>
  )
}
