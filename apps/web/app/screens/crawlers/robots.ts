import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/robots'

/** Pages of one person, after the language; `$` ends an address (RFC 9309). */
const personal = [
  's$',
  's/',
  'create$',
  'account',
  'admin',
  'change-email',
  'change-password',
  'email/',
  'email-login/',
  'login/discord',
  'messages/',
  'notifications',
  'payu/',
  'paypal/',
  'paynow/',
  'user/',
  'voucher/',
  'wallets/',
]

export function loader({ request, context }: Route.LoaderArgs): Response {
  const { languages } = context.get(webContext)
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /s/',
    ...languages.flatMap((language) => personal.map((path) => `Disallow: /${language}/${path}`)),
    '',
    `Sitemap: ${new URL(request.url).origin}/sitemap.xml`,
    '',
  ]
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
