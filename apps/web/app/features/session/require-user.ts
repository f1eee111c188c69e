import { redirect, type RouterContextProvider } from 'react-router'
import { hasCapability } from '@wakestone/contract/capabilities'
import type { CapabilityName } from '@wakestone/contract/capability-names'
import type { User } from '@wakestone/contract/accounts/user'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { pageUrl } from '#app/features/language/page-url.ts'
import { webContext } from '#app/load-context.ts'

/**
 * The signed-in user, in a loader.
 * @throws a redirect to the login page, which comes back here afterwards, when nobody is signed in.
 */
export function requireUser(request: Request, context: Readonly<RouterContextProvider>): User {
  const { user, language } = context.get(webContext)
  if (user !== null) return user
  const { pathname, search } = pageUrl(request)
  throw redirect(`/${chooseLanguage(request, language)}/login?from=${encodeURIComponent(pathname + search)}`)
}

/**
 * The signed-in user, if they hold a capability on the whole product.
 * @throws a redirect to the page that says that they do not.
 */
export function requireCapability(
  request: Request,
  context: Readonly<RouterContextProvider>,
  capability: CapabilityName,
): User {
  const user = requireUser(request, context)
  if (hasCapability(user.user_capabilities, capability)) return user
  throw redirect(`/${chooseLanguage(request, context.get(webContext).language)}/unauthorized`)
}
