import type { PublicShop } from '@wakestone/contract/sales/shop'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './shop.module.css'

/** Who sells: the contract is between them and the player. */
export function Seller({ seller: { name, address, email, tax_id } }: { seller: PublicShop['seller'] }) {
  const { t } = useTranslation()
  return (
    <div className={classes['seller']}>
      <p>{t('shop.sellerIs', { name })}</p>
      <p>{address}</p>
      {tax_id !== '' && <p>{t('shop.taxId', { id: tax_id })}</p>}
      <p>
        <a href={`mailto:${email}`}>{email}</a>
      </p>
      <p>{t('shop.agent')}</p>
    </div>
  )
}
