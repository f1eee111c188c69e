/** What customers type, in their language, leads to the screen that it is about. */
import { expect, test } from 'vitest'
import { serverScreens } from '#app/features/servers/server-screens.ts'
import { accountScreens } from '#app/features/session/account-screens.ts'
import de from '#app/i18n/locales/de.json' with { type: 'json' }
import en from '#app/i18n/locales/en.json' with { type: 'json' }
import pl from '#app/i18n/locales/pl.json' with { type: 'json' }
import { paletteWords } from './palette-words.ts'
import { rankCommands } from './rank-commands.ts'

/** What is among the first for each, by address. */
const wanted: Record<string, { typed: Record<'en' | 'pl' | 'de', string>; found: string[] }> = {
  payments: { typed: { en: 'payments', pl: 'płatności', de: 'zahlungen' }, found: ['/s/:id/payments', '/wallets/:id'] },
  pay: { typed: { en: 'pay', pl: 'zapłać', de: 'zahlung' }, found: ['/s/:id/payments', '/wallets/:id'] },
  password: { typed: { en: 'password', pl: 'hasło', de: 'passwort' }, found: ['/account/settings/security'] },
  security: { typed: { en: 'security', pl: 'bezpiecz', de: 'sicherheit' }, found: ['/account/settings/security'] },
  invoice: { typed: { en: 'invoice', pl: 'faktura', de: 'rechnung' }, found: ['/account/invoices'] },
  backup: { typed: { en: 'backup', pl: 'backup', de: 'backup' }, found: ['/s/:id/backups'] },
  domain: { typed: { en: 'domain', pl: 'domena', de: 'domain' }, found: ['/s/:id/settings/addresses'] },
  plugin: { typed: { en: 'plugin', pl: 'wtyczki', de: 'plugin' }, found: ['/s/:id/m', '/m'] },
  whitelist: { typed: { en: 'whitelist', pl: 'whitelist', de: 'whitelist' }, found: ['/s/:id/players'] },
  refund: { typed: { en: 'refund', pl: 'zwrot', de: 'erstattung' }, found: ['/s/:id/payments', '/wallets/:id'] },
  access: { typed: { en: 'access', pl: 'dostęp', de: 'zugriff' }, found: ['/s/:id/settings/access'] },
  language: { typed: { en: 'language', pl: 'język', de: 'sprache' }, found: ['language'] },
  theme: { typed: { en: 'theme', pl: 'motyw', de: 'theme' }, found: ['theme'] },
}

const locales = { en, pl, de }
const languages = ['en', 'pl', 'de'] as const

function commandsIn(language: (typeof languages)[number]) {
  const text = (key: string) =>
    String(key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], locales[language]))
  const command = (id: string, label: string) => ({
    id,
    label,
    words: paletteWords[id] === undefined ? undefined : text(paletteWords[id]),
  })
  return [
    ...serverScreens.map(({ path, label }) => command(`/s/:id${path}`, `Meadow: ${text(label)}`)),
    command('/create', text('shell.newServer')),
    command('/m', text('nav.market')),
    command('/wallets/:id', text('wallet.title').replace('{{currency}}', 'PLN')),
    command('/wallets/:id/recharge', text('recharge.title')),
    ...accountScreens.map(({ path, label }) => command(path, text(label))),
    command('/account/support', text('shell.help')),
    command('theme', text('palette.theme').replace('{{name}}', 'x')),
    command('language', text('palette.language').replace('{{name}}', 'x')),
  ]
}

test.each(languages)('in %s', (language) => {
  const commands = commandsIn(language)
  const missed = Object.values(wanted).flatMap(({ typed, found }) => {
    const best = rankCommands(commands, typed[language]).map(({ id }) => id)
    const first = best.slice(0, Math.max(2, found.length + 1))
    return found.every((id) => first.includes(id)) ? [] : [`${typed[language]}: ${best.slice(0, 5).join(', ')}`]
  })
  expect(missed).toEqual([])
})
