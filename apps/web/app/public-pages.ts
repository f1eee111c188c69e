/**
 * Every public page by its path after the language. The site map lists those that are indexed; checks of public pages
 * (accessibility, speed, reading without scripts, pictures) walk all of them.
 */
export type PublicPage = { path: string; isIndexed: boolean }

export const publicPages: readonly PublicPage[] = [
  { path: '', isIndexed: true },
  { path: '/offers', isIndexed: true },
  { path: '/offers/create', isIndexed: true },
  { path: '/m', isIndexed: true },
  { path: '/contact', isIndexed: true },
  { path: '/login', isIndexed: true },
  { path: '/register', isIndexed: true },
  { path: '/login/discord', isIndexed: false },
  { path: '/forgot-password', isIndexed: false },
  { path: '/email-login', isIndexed: false },
  { path: '/email-login/complete', isIndexed: false },
  { path: '/change-password/confirm', isIndexed: false },
  { path: '/parents', isIndexed: true },
  { path: '/partnership', isIndexed: true },
  { path: '/affiliate', isIndexed: true },
  { path: '/terms-of-service', isIndexed: true },
  { path: '/privacy-policy', isIndexed: true },
  { path: '/terms-and-conditions', isIndexed: true },
  { path: '/store-terms', isIndexed: true },
  { path: '/newsletter-terms', isIndexed: true },
  { path: '/newsletter', isIndexed: true },
  { path: '/newsletter/confirm', isIndexed: false },
  { path: '/newsletter/unsubscribe', isIndexed: false },
  { path: '/messages/register', isIndexed: false },
  { path: '/unauthorized', isIndexed: false },
  { path: '/unauthorized-server', isIndexed: false },
  { path: '/country', isIndexed: false },
  { path: '/server-not-found', isIndexed: false },
]
