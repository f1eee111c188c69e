/** What the server uses of the web's build: the contract in `apps/web/app/load-context.ts` and `shared-pages.ts`. */
import type { ServerBuild } from 'react-router'
import type { ApiClient } from '@wakestone/contract/client'
import type { User } from '@wakestone/contract/accounts/user'
import type { Language } from '@wakestone/contract/values'
import { hasDiscord, type Settings } from '@wakestone/kit/settings'

type EntryModule = ServerBuild['entry']['module'] & {
  textVersions: Record<Language, string>
  createLoadContext(value: {
    api: ApiClient
    user: User | null
    language: Language
    languages: readonly Language[]
    nonce: string
    eventId: string
    site: ReturnType<typeof siteOf>
    log: (error: unknown, request: Request) => void
  }): never
  findSharedPage(
    address: string,
    cookies: string | null,
  ): { language: Language; cookies: readonly string[] } | undefined
}
export type WebBuild = ServerBuild & { entry: { module: EntryModule } }

/** What the operator's settings say to the pages. */
export function siteOf(settings: Settings) {
  return {
    docsUrl: settings.DOCS_URL,
    sourceUrl: settings.SOURCE_URL,
    socialLinks: settings.SOCIAL_LINKS ?? [],
    reviewWidget: settings.REVIEW_WIDGET_URL,
    partnerMarker: settings.PARTNER_MARKER,
    securityContact: settings.SECURITY_CONTACT,
    analyticsScript: settings.ANALYTICS_SCRIPT_URL,
    hasDiscord: hasDiscord(settings),
    affiliate: { percent: settings.AFFILIATE_PERCENT, months: settings.AFFILIATE_MONTHS },
    websitesDomain: settings.SITES_DOMAIN,
  }
}
