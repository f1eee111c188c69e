/** `/consent`: takes the cookie choice, from forms with and without scripts, and leads back to the page it was made on. */
import { redirect } from 'react-router'
import { giveConsent } from '@wakestone/contract/accounts/consents-routes'
import { webContext } from '#app/load-context.ts'
import { consentOfForm, serializeConsent } from '#app/features/consent/consent.ts'
import { isOwnPath } from '#app/features/session/came-from.ts'
import type { Route } from './+types/consent'

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData()
  const back = form.get('back')
  const url = new URL(typeof back === 'string' && isOwnPath(back) ? back : '/', request.url)
  url.searchParams.delete('cookies')
  const isChoosing = form.get('choice') === 'choose'
  if (isChoosing) url.searchParams.set('cookies', 'choose')
  const consent = consentOfForm(form)
  const cookie = serializeConsent(consent, url.protocol === 'https:')
  const { api, user, log } = context.get(webContext)
  if (!isChoosing && user !== null) {
    const choice = { analytics: consent.analytics_storage, advertising: consent.ad_storage }
    // The choice holds in this browser whether or not it could be noted.
    await api(giveConsent, { params: { id: user.id }, body: { subject: 'cookies', ...choice } }).catch(
      (error: unknown) => log?.(error, request),
    )
  }
  return redirect(url.pathname + url.search, { status: 303, headers: isChoosing ? {} : { 'set-cookie': cookie } })
}

/** Who comes here by a link or a reload. */
export function loader() {
  return redirect('/')
}
