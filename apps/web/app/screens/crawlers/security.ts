import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/security'

/** How long readers may rely on it: RFC 9116 wants an end, at most a year away. */
const validDays = 180

/** Where weaknesses of this installation are reported (RFC 9116). */
export function loader({ request, context }: Route.LoaderArgs): Response {
  const { languages, site } = context.get(webContext)
  if (site.securityContact === undefined) throw new Response(null, { status: 404 })
  const lines = [
    `Contact: ${site.securityContact}`,
    `Expires: ${new Date(Date.now() + validDays * 86_400_000).toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    `Canonical: ${new URL('/.well-known/security.txt', request.url).href}`,
    '',
  ]
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
  })
}
