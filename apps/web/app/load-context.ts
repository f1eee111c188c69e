/**
 * What the host (the API server) hands to every rendering.
 *
 * The host imports the build, not this app:
 *
 *     const build = await import('apps/web/build/server/index.js')   // React Router's ServerBuild
 *     const handle = createRequestHandler(build, 'production')       // from 'react-router'
 *     const context = build.entry.module.createLoadContext({ api, user, language, languages, nonce, site })
 *     const response = await handle(request, context)
 *
 * - `request.url` has the public origin (canonical links are made from it); its `Cookie` header is the visitor's.
 * - `api` calls the API in-process with the visitor's cookies and address; a `Set-Cookie` it causes is the host's to pass on.
 * - `user` is who is signed in, null for nobody. `language` is the visitor's (the cookie's, else the account's,
 *   else `Accept-Language`); the address wins over it here. `languages` are those spoken on the host that was asked.
 * - `nonce` is on every script: `script-src 'self' 'nonce-…'`. Styles need `style-src 'self' 'unsafe-inline'`.
 * - `site` is what the operator has set for public pages.
 * - `log` gets what failed while rendering; without it, it goes to the console.
 * - Files of `build/client` are served before this handler: `/assets/*` immutable for a year, with `.br`/`.gz` beside them.
 */
import { createContext, RouterContextProvider } from 'react-router'
import type { ApiClient } from '@wakestone/contract/client'
import type { Language } from '@wakestone/contract/primitives'
import type { User } from '@wakestone/contract/accounts/user'

export type SiteSettings = {
  /** Documentation elsewhere, in the place of ours; `{lang}` stands for the reader's language. */
  docsUrl: string | undefined
  /** Where the source code of this copy is read. */
  sourceUrl: string | undefined
  socialLinks: readonly string[]
  /** A page with reviews, to be framed with consent to advertising. */
  reviewWidget: string | undefined
  /** The `utm_source` of visitors whom a partner sent. */
  partnerMarker: string | undefined
  /** Where weaknesses are reported: `mailto:` or https. */
  securityContact: string | undefined
  /** Loaded only with consent to analytics. */
  analyticsScript: string | undefined
  /** Whether people may come by Discord. */
  hasDiscord: boolean
  /** An affiliate's share in per cent, and for how many months. */
  affiliate: { percent: number; months: number }
  /** Under which the websites of customers get their names. */
  websitesDomain: string
}

export type WebContext = {
  api: ApiClient
  user: User | null
  language: Language
  languages: readonly Language[]
  nonce: string
  /** Under which the host logs what fails in this rendering. */
  eventId: string
  site: SiteSettings
  log?: (error: unknown, request: Request) => void
}

export const webContext = createContext<WebContext>()

/** Wraps the host's values as React Router wants them. Reached by the host through `build.entry.module`. */
export function createLoadContext(value: WebContext): RouterContextProvider {
  const provider = new RouterContextProvider()
  provider.set(webContext, value)
  return provider
}
