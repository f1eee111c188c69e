/**
 * Every public page by its path after the language. The site map lists those that are indexed; checks of public pages
 * (accessibility, speed, reading without scripts, pictures) walk all of them.
 */
export type PublicPage = { path: string; isIndexed: boolean }

export const publicPages: readonly PublicPage[] = [
  { path: '', isIndexed: true },
  { path: '/offers', isIndexed: true },
  { path: '/offers/create', isIndexed: true },
  { path: '/login', isIndexed: true },
  { path: '/register', isIndexed: true },
]
