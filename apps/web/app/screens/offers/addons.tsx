import { useTranslation } from '#app/i18n/texts.tsx'
import type { Product } from '@wakestone/contract/sales/product'
import { type AddonType, addonsOf, addonTypes, type OfferChoice } from '#app/features/offers/offer-prices.ts'
import { PriceLines } from '#app/features/offers/price-lines.tsx'
import { planName } from '#app/features/servers/server-names.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './offers.module.css'

/** What can be added to a server, by kind: the kinds of which something is on sale. */
export function Addons({ products, choice }: { products: readonly Product[]; choice: OfferChoice }) {
  const { t } = useTranslation()
  const kinds = addonTypes
    .map((type) => ({ type, addons: addonsOf(products, type) }))
    .filter(({ addons }) => addons.length > 0)
  if (kinds.length === 0) return null
  return (
    <section className={classes['part']}>
      <h2>{t('offers.addons')}</h2>
      <p className={classes['muted']}>{t('offers.addonsText')}</p>
      <ul className={classes['kinds']}>
        {kinds.map(({ type, addons }) => (
          <li key={type}>
            <div>
              <h3>{t(`offers.types.${type}.title`)}</h3>
              <p className={classes['muted']}>{t(`offers.types.${type}.text`)}</p>
            </div>
            <div className={classes['addons']}>
              {addons.map((addon) => (
                <div key={addon.id} className={classes['addon']}>
                  {/* Of the map there is one size, and the row is named after it. */}
                  {type !== 'MAPVIEW' && (
                    <strong>
                      <AddonName addon={addon} type={type} />
                    </strong>
                  )}
                  <div>
                    <PriceLines product={addon} choice={choice} size="small" />
                  </div>
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What is added where it is a size; otherwise the product's name. */
function AddonName({ addon, type }: { addon: Product; type: AddonType }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (type === 'EXTRA_MEMORY') return `+${format.bytes(addon.parameters.memory)}`
  if (type === 'EXTRA_STORAGE') return `+${format.bytes(addon.parameters.storage)}`
  if (type === 'EXTRA_PORTS') return t('offers.ports', { count: addon.parameters.ports ?? 0 })
  return planName(addon.id)
}
