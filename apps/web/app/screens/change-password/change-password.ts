import { redirect } from 'react-router'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/change-password'

/** `/{lang}/change-password`: whoever is signed in changes it on the page of security, others ask for a link. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { user, language } = context.get(webContext)
  throw redirect(
    `/${chooseLanguage(request, language)}${user === null ? '/forgot-password' : '/account/settings/security#password'}`,
  )
}
