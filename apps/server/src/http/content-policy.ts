import type { Settings } from '@wakestone/kit/settings'

/**
 * Whether an address is that of a page which others may frame: a map, as those see it who are not signed in here. It has
 * nothing to be clicked that changes anything.
 */
export const isFramedPage = (url: string) =>
  /^\/[a-z]{2}\/mapview\/[0-9a-f-]{36}\?(?:[^#]*&)?widget(?:[=&]|$)/.test(url)

/**
 * Content security policy of a page. Beside ourselves only what the operator named is let in; whether it loads is the
 * visitor's choice.
 */
export function contentPolicy(
  /** What lets the page's own scripts in: a nonce or hashes, as the policy writes them. */
  scriptSources: readonly string[],
  settings: Pick<Settings, 'ANALYTICS_SCRIPT_URL' | 'ANALYTICS_HOSTS' | 'REVIEW_WIDGET_URL' | 'SUPPORT_SSO_URL'>,
  { isWidget = false }: { isWidget?: boolean } = {},
): string {
  const script = settings.ANALYTICS_SCRIPT_URL
  const scripts = script === undefined ? [] : [new URL(script).origin]
  const reported = (settings.ANALYTICS_HOSTS ?? []).map((address) => new URL(address).origin)
  const others = [...new Set([...scripts, ...reported])].map((origin) => ` ${origin}`).join('')
  const framed = settings.REVIEW_WIDGET_URL
  const desk = settings.SUPPORT_SSO_URL
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scriptSources, ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${others}`,
    "font-src 'self'",
    ...(framed === undefined ? [] : [`frame-src ${new URL(framed).origin}`]),
    `connect-src 'self'${others}`,
    "object-src 'none'",
    "base-uri 'none'",
    // Whoever goes to the operator's desk is signed in there by a form.
    `form-action 'self'${desk === undefined ? '' : ` ${new URL(desk).origin}`}`,
    isWidget ? 'frame-ancestors *' : "frame-ancestors 'none'",
  ].join('; ')
}
