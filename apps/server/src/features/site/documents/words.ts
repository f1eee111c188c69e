/** The few words that the server itself adds to a document. */
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl, type Settings } from '@wakestone/kit/settings'

type Values = Readonly<Record<string, string | undefined>>
export type Words = { language: Language; values: Values; labels: Readonly<Record<string, string>>; soon: string }

/** Stands in a document where the operator has not yet said what belongs there. */
const labels: Record<Language, Record<string, string>> = {
  en: {
    operator_name: 'name of the operator',
    operator_address: 'address of the operator',
    operator_registration: 'register and tax number',
    support_email: 'e-mail address of support',
  },
  pl: {
    operator_name: 'nazwa operatora',
    operator_address: 'adres operatora',
    operator_registration: 'numer w rejestrze i NIP',
    support_email: 'adres e-mail pomocy',
  },
  de: {
    operator_name: 'Name des Betreibers',
    operator_address: 'Anschrift des Betreibers',
    operator_registration: 'Register- und Steuernummer',
    support_email: 'E-Mail-Adresse des Supports',
  },
}
const soon: Record<Language, string> = { en: 'coming soon', pl: 'wkrótce', de: 'demnächst' }

/** `12 months`, as the language counts them. */
function count(value: number, unit: 'month' | 'day', language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** What `{{…}}` in a document of this language stands for. */
export function wordsFor(settings: Settings, language: Language): Words {
  return {
    language,
    labels: labels[language],
    soon: soon[language],
    values: {
      operator_name: settings.OPERATOR_NAME,
      operator_address: settings.OPERATOR_ADDRESS,
      operator_registration: settings.OPERATOR_REGISTRATION,
      support_email: settings.SUPPORT_EMAIL,
      site_url: publicUrl(settings),
      game_domain: settings.GAME_DOMAIN,
      affiliate_percent: new Intl.NumberFormat(language, { style: 'percent' }).format(settings.AFFILIATE_PERCENT / 100),
      affiliate_months: count(settings.AFFILIATE_MONTHS, 'month', language),
      affiliate_hold_days: count(settings.AFFILIATE_HOLD_DAYS, 'day', language),
    },
  }
}
