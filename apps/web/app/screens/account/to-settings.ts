import { redirect } from 'react-router'
import { pageUrl } from '#app/features/language/page-url.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/to-settings'

const parts: Record<string, string> = { 'change-email': '#email' }

/** `/{lang}/account`, `/{lang}/change-email`: all of it is in the settings. */
export function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const part = parts[pageUrl(request).pathname.split('/').at(-1) ?? ''] ?? ''
  throw redirect(`/${chooseLanguage(request, context.get(webContext).language)}/account/settings${part}`)
}
