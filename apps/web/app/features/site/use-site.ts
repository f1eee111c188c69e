import { useRouteLoaderData } from 'react-router'
import type { SiteSettings } from '#app/load-context.ts'
import type { loader } from '#app/root.tsx'

const unset: SiteSettings = {
  docsUrl: undefined,
  sourceUrl: undefined,
  socialLinks: [],
  reviewWidget: undefined,
  partnerMarker: undefined,
  securityContact: undefined,
  analyticsScript: undefined,
  hasDiscord: false,
  affiliate: { percent: 10, months: 12 },
  websitesDomain: 'sites.localhost',
}

/** What the operator has set for public pages. */
export function useSite(): SiteSettings {
  const site = useRouteLoaderData<typeof loader>('root')?.site
  return { ...unset, ...site }
}
