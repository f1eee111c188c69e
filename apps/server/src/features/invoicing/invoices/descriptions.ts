/** What was sold, in words, in every language: frozen with the document. */
import type { Language } from '@wakestone/contract/primitives'
import type { Texts } from './snapshot.ts'

const capitalised = (name: string) => name.charAt(0) + name.slice(1).toLowerCase()

const products: readonly [RegExp, (match: RegExpExecArray) => Texts][] = [
  [
    /^(FREE|GRASS|AMETHYST)$/,
    ([, plan = '']) => ({
      en: `Game server hosting, plan ${capitalised(plan)}`,
      pl: `Hosting serwera gier, plan ${capitalised(plan)}`,
      de: `Gameserver-Hosting, Tarif ${capitalised(plan)}`,
    }),
  ],
  [
    /EXTRA_MEMORY_(\d+)G$/,
    ([, size]) => ({
      en: `Extra memory, ${size} GiB`,
      pl: `Dodatkowa pamięć, ${size} GiB`,
      de: `Zusätzlicher Arbeitsspeicher, ${size} GiB`,
    }),
  ],
  [
    /^EXTRA_STORAGE_(\d+)G$/,
    ([, size]) => ({
      en: `Extra storage, ${size} GiB`,
      pl: `Dodatkowe miejsce na dysku, ${size} GiB`,
      de: `Zusätzlicher Speicherplatz, ${size} GiB`,
    }),
  ],
  [
    /^EXTRA_PORTS_(\d+)$/,
    ([, count]) => ({
      en: `Extra ports, ${count}`,
      pl: `Dodatkowe porty, ${count}`,
      de: `Zusätzliche Ports, ${count}`,
    }),
  ],
  [/^BASIC_MAPVIEW$/, () => ({ en: 'Map view', pl: 'Podgląd mapy', de: 'Kartenansicht' })],
  [
    /^BACKUP_(PLUS|PRO)$/,
    ([, level = '']) => ({
      en: `Extended backups ${capitalised(level)}`,
      pl: `Rozszerzone kopie zapasowe ${capitalised(level)}`,
      de: `Erweiterte Sicherungen ${capitalised(level)}`,
    }),
  ],
  [
    /^WALLET_TOP_UP$/,
    () => ({
      en: 'Wallet top-up (single-purpose voucher for hosting)',
      pl: 'Doładowanie portfela (bon jednego przeznaczenia na hosting)',
      de: 'Guthabenaufladung (Einzweck-Gutschein für Hosting)',
    }),
  ],
  [
    /^ITEMSHOP_FEE$/,
    () => ({
      en: 'Commission on sales in a server’s shop',
      pl: 'Prowizja od sprzedaży w sklepie serwera',
      de: 'Provision auf Verkäufe im Shop eines Servers',
    }),
  ],
  [/^BASIC_CRAFTUM$/, () => ({ en: 'Website builder', pl: 'Kreator stron', de: 'Website-Baukasten' })],
]

const periods: Record<string, Texts> = {
  '168h': { en: '7 days', pl: '7 dni', de: '7 Tage' },
  '720h': { en: '30 days', pl: '30 dni', de: '30 Tage' },
  '2160h': { en: '90 days', pl: '90 dni', de: '90 Tage' },
  '8760h': { en: '365 days', pl: '365 dni', de: '365 Tage' },
}

const actions: Record<string, Texts> = {
  RENEW_SERVICE: { en: 'renewal', pl: 'przedłużenie', de: 'Verlängerung' },
  UPGRADE_SERVICE: { en: 'change of plan', pl: 'zmiana planu', de: 'Tarifwechsel' },
}

/** @param sale what the transaction tells: what was done, and for how long. */
export function describeLine(name: string, sale: { action: string; period: unknown }): Texts {
  const [base] = products.flatMap(([pattern, texts]) => {
    const match = pattern.exec(name)
    return match === null ? [] : [texts(match)]
  })
  const period = typeof sale.period === 'string' ? periods[sale.period] : undefined
  const action = actions[sale.action]
  const say = (language: Language) =>
    [base?.[language] ?? name, action?.[language], period?.[language]].filter(Boolean).join(', ')
  return { en: say('en'), pl: say('pl'), de: say('de') }
}
