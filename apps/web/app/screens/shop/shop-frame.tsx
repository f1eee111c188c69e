import type { PublicShop } from '@wakestone/contract/sales/shop'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LanguageSwitch, ThemeToggle } from '#app/features/shell/switches.tsx'
import { SkipLink } from '#app/features/shell/skip-link.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { LanternMark } from '#app/ui/brand.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { PublicStateBadge } from '#app/ui/state-badge.tsx'
import { Seller } from './seller.tsx'
import classes from './shop-frame.module.css'

/** Head and foot of a shop: it is its owner's page, and says only at its foot where it runs. */
export function ShopFrame({
  title,
  picture,
  to,
  status,
  seller,
  isNarrow = false,
  children,
}: Pick<PublicShop, 'title' | 'picture' | 'seller'> & {
  /** Where the shop is, on its other pages. */
  to?: string | undefined
  status?: PublicShop['status']
  isNarrow?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <div className={classes['frame']} data-narrow={isNarrow}>
      <SkipLink />
      <header className={classes['head']}>
        <div className={classes['bar']}>
          {picture === null ? (
            <NamePixels name={title} size={56} />
          ) : (
            <img className={classes['picture']} src={picture} alt="" width={56} height={56} />
          )}
          <div className={classes['names']}>
            {to === undefined ? (
              <h1 className={classes['title']}>{title}</h1>
            ) : (
              <p className={classes['title']}>
                <Link to={to}>{title}</Link>
              </p>
            )}
            {status !== undefined && <Status status={status} />}
          </div>
          <div className={classes['tools']}>
            <LanguageSwitch />
            <ThemeToggle />
          </div>
        </div>
      </header>
      <main id="content" className={classes['main']}>
        {children}
      </main>
      <footer className={classes['foot']}>
        <div className={classes['wrap']}>
          <Seller seller={seller} />
          <p className={classes['runs']}>
            <Link to={path('')}>
              <LanternMark size={16} />
              {t('shop.runsOn')}
            </Link>
            <Link to={path('/privacy-policy')}>{t('footer.privacyPolicy')}</Link>
          </p>
        </div>
      </footer>
    </div>
  )
}

/** What anybody sees who joins. */
function Status({ status: { state, address, players, most } }: { status: PublicShop['status'] }) {
  const { t } = useTranslation()
  return (
    <div className={classes['status']}>
      <PublicStateBadge state={state} />
      <span>
        {most === null ? t('shop.playing', { count: players }) : t('shop.playingOf', { online: players, most })}
      </span>
      <Address address={address} />
    </div>
  )
}
