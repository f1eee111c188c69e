/** Websites that customers build. */
import { z } from 'zod'
import { type Setting } from './setting.ts'

export const websites = {
  SITES_DOMAIN: {
    group: 'Websites',
    about:
      'Domain under which customers’ websites get their names; all names below it must lead to HTTP_PORT. In production, use a domain registered separately from that of PUBLIC_URL: browsers then keep the panel’s cookies from it.',
    takes: 'a host name that is not that of PUBLIC_URL, nor one above it',
    schema: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
    fallback: 'sites.localhost',
  },
} as const satisfies Record<string, Setting>
