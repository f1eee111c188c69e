import type { ShouldRevalidateFunction } from 'react-router'

/** The choice of period, currency and plan is in the address and needs no new prices; another country does. */
export const keepsOffers: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate
