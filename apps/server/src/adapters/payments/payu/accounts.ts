/** Points of sale at PayU: one for all currencies, or some currencies with one of their own. */
import type { Settings } from '@wakestone/kit/settings'

export type PayuAccount = { posId: string; clientId: string; clientSecret: string; secondKey: string }

/** By currency, in the order of the settings; empty where PayU is not set up. */
export function readPayuAccounts(settings: Settings): ReadonlyMap<string, PayuAccount> {
  const { PAYU_POS_ID, PAYU_CLIENT_ID, PAYU_CLIENT_SECRET, PAYU_SECOND_KEY } = settings
  const shared = whole(PAYU_POS_ID, PAYU_CLIENT_ID, PAYU_CLIENT_SECRET, PAYU_SECOND_KEY)
  const own: Record<string, PayuAccount | undefined> = {
    EUR: whole(
      settings.PAYU_POS_ID_EUR,
      settings.PAYU_CLIENT_ID_EUR,
      settings.PAYU_CLIENT_SECRET_EUR,
      settings.PAYU_SECOND_KEY_EUR,
    ),
    USD: whole(
      settings.PAYU_POS_ID_USD,
      settings.PAYU_CLIENT_ID_USD,
      settings.PAYU_CLIENT_SECRET_USD,
      settings.PAYU_SECOND_KEY_USD,
    ),
  }
  const accounts = new Map<string, PayuAccount>()
  for (const currency of settings.PAYU_CURRENCIES) {
    const account = own[currency] ?? shared
    if (account !== undefined) accounts.set(currency, account)
  }
  return accounts
}

function whole(posId?: string, clientId?: string, clientSecret?: string, secondKey?: string): PayuAccount | undefined {
  return posId && clientId && clientSecret && secondKey ? { posId, clientId, clientSecret, secondKey } : undefined
}
