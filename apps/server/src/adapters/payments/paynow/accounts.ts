/** Accounts at PayNow: one for all currencies, or some currencies with one of their own. */
import type { Settings } from '@wakestone/kit/settings'

export type PaynowAccount = { apiKey: string; signatureKey: string }

const addresses = { production: 'https://api.paynow.pl', sandbox: 'https://api.sandbox.paynow.pl' }

export const paynowAddress = (settings: Settings): string =>
  (settings.PAYNOW_URL ?? addresses[settings.PAYNOW_ENVIRONMENT]).replace(/\/$/, '')

/** By currency, in the order of the settings; empty where PayNow is not set up. */
export function readPaynowAccounts(settings: Settings): ReadonlyMap<string, PaynowAccount> {
  const shared = pair(settings.PAYNOW_API_KEY, settings.PAYNOW_SIGNATURE_KEY)
  const own: Record<string, PaynowAccount | undefined> = {
    EUR: pair(settings.PAYNOW_API_KEY_EUR, settings.PAYNOW_SIGNATURE_KEY_EUR),
    USD: pair(settings.PAYNOW_API_KEY_USD, settings.PAYNOW_SIGNATURE_KEY_USD),
  }
  const accounts = new Map<string, PaynowAccount>()
  for (const currency of settings.PAYNOW_CURRENCIES) {
    const account = own[currency] ?? shared
    if (account !== undefined) accounts.set(currency, account)
  }
  return accounts
}

const pair = (apiKey: string | undefined, signatureKey: string | undefined) =>
  apiKey && signatureKey ? { apiKey, signatureKey } : undefined
