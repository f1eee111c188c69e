/** Puts a notification into words: for the panel, for short messages, and as a mail. */
import { browserOf } from '@wakestone/contract/browser-name'
import { formatMoney, type Money } from '@wakestone/kit/money'
import { isChannelFixed, kindSpecs, type NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { FieldFormat } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import type { Page } from './links.ts'
import { layoutMail, type MailPart } from '#src/adapters/mail/layout.ts'
import { writeTime } from '#src/adapters/mail/write-time.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { pl } from './texts/pl.ts'
import type { FootPage, Texts } from './texts/types.ts'

export const texts: Record<Language, Texts> = { en, pl, de }

type Fields = Record<string, unknown>

/** How a reader is written to. */
export type Locale = { language: Language; timeZone: string }

const count = (language: Language, unit: string, value: unknown) =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(value))

function showBytes(language: Language, bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  return `${format.format(bytes / 1024 ** step)} ${units[step]}`
}

/** A value that its writer chose stays on its line. */
const oneLine = (value: unknown) => String(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

function showDevice(language: Language, userAgent: string): string {
  const { browser, system } = browserOf(userAgent)
  return [browser ?? texts[language].words['unknown_browser'], system].filter(Boolean).join(' · ')
}

const readId = (id: string) => oneLine(id.charAt(0) + id.slice(1).toLowerCase().replaceAll('_', ' '))

/**
 * As in the panel: `AMETHYST` → Amethyst, as plans are called in every language; `EXTRA_MEMORY_4G` → 4 GiB more memory, and
 * what it was given for before that.
 */
function showProduct(language: Language, id: string): string {
  const { words } = texts[language]
  const [, occasion, kind = '', size] = /^(?:(\w+)_)?(EXTRA_[A-Z]+)_(\d+)G?$/.exec(id) ?? []
  const form = kind === 'EXTRA_PORTS' ? `_${new Intl.PluralRules(language).select(Number(size))}` : ''
  const word = words[kind === '' ? id : `${kind}${form}`]?.replace('{size}', size ?? '')
  if (word === undefined) return readId(id)
  return occasion === undefined ? word : `${readId(occasion)}: ${word}`
}

const showMoney = (language: Language, value: unknown) => formatMoney(value as Money, language).replace('-', '\u2212')

const shown: Record<FieldFormat, (locale: Locale, value: unknown) => string> = {
  text: (_locale, value) => oneLine(value),
  word: ({ language }, value) => texts[language].words[String(value)] ?? oneLine(value),
  number: ({ language }, value) => new Intl.NumberFormat(language).format(Number(value)),
  reference: (_locale, value) => String(Number(value)),
  product: ({ language }, value) => showProduct(language, String(value)),
  days: ({ language }, value) => count(language, 'day', value),
  hours: ({ language }, value) => count(language, 'hour', value),
  bytes: ({ language }, value) => showBytes(language, Number(value)),
  money: ({ language }, value) => showMoney(language, value),
  items: ({ language }, value) =>
    (value as { product: string; price: Money }[])
      .map(({ product, price }) => `${showProduct(language, product)}\t${showMoney(language, price)}`)
      .join('\n'),
  time: (locale, value) => writeTime(new Date(String(value)), locale),
  device: ({ language }, value) => showDevice(language, String(value)),
  country: ({ language }, value) =>
    new Intl.DisplayNames(language, { type: 'region' }).of(String(value)) ?? String(value),
}

/**
 * Fills `{name}` in a text; `guard` makes a value harmless where it goes. What a kind no longer has stays empty; words in
 * square brackets are left out with an optional field that is not there.
 */
function createFiller(kind: NotificationKind, locale: Locale, fields: Fields, guard = (value: string) => value) {
  const formats = { ...kindSpecs[kind].fields, ...kindSpecs[kind].optional }
  const isThere = (words: string) =>
    [...words.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => fields[name] !== undefined)
  return (text: string) =>
    text
      .replace(/\[([^\]]*)\]/g, (_, words: string) => (isThere(words) ? words : ''))
      .replace(/\{(\w+)\}/g, (_, name: string) => {
        const format = formats[name]
        return format === undefined || fields[name] === undefined ? '' : guard(shown[format](locale, fields[name]))
      })
}

/** Pages linked at the end of a mail: notification settings and, for purchases, the terms. */
function footPages(kind: NotificationKind): Partial<Record<FootPage, string>> {
  const { forAdministrators = false, optional = {} } = kindSpecs[kind]
  return {
    ...(!isChannelFixed(kind, 'mail') && !forAdministrators && { settings: '/account/settings/notifications' }),
    // What tells of a payment leads to its document.
    ...('transaction' in optional && { terms: '/terms-of-service', paymentTerms: '/terms-and-conditions' }),
  }
}

/** Title and text, for panel, push and Discord. */
export function sayShortly(
  kind: NotificationKind,
  { fields, guard, ...locale }: Locale & { fields: Fields; guard?: (value: string) => string },
): { title: string; text: string } {
  const fill = createFiller(kind, locale, fields, guard)
  const { title, text } = texts[locale.language].kinds[kind]
  return { title: fill(title), text: fill(text) }
}

/** Lines `label⇥value` of a text are a table; no value holds a tab of its own. */
function partsOf(text: string): MailPart[] {
  const parts: (string | { label: string; value: string }[])[] = []
  for (const line of text.split('\n')) {
    const [label = '', value] = line.split('\t')
    const last = parts.at(-1)
    if (value === undefined) {
      if (typeof last === 'string') parts[parts.length - 1] = `${last}\n${line}`
      else parts.push(line)
    } else if (typeof last === 'object') last.push({ label, value })
    else parts.push([{ label, value }])
  }
  return parts.map((part) => (typeof part === 'string' ? part.trim() : part)).filter((part) => part !== '')
}

export type KindMail = { subject: string; text: string; html: string }

/**
 * A kind as a mail. `fields` with the secret ones: `code` is shown large, `link` is behind the button.
 * @param timeZone missing where nothing in it is a time
 * @param username missing where there may be no account yet
 * @param pages where it leads, the first behind the button, unless the fields say that
 * @param unsubscribe where mails of this kind are switched off
 * @param site where its reader finds the settings of their account and what the contract says
 */
export function writeMail(
  kind: NotificationKind,
  {
    language,
    timeZone = 'UTC',
    username,
    fields,
    pages: [first, ...more] = [],
    unsubscribe,
    site,
  }: {
    language: Language
    timeZone?: string
    username?: string
    fields: Fields
    pages?: readonly Page[]
    unsubscribe?: string | undefined
    site?: string
  },
): KindMail {
  const fill = createFiller(kind, { language, timeZone }, fields)
  const { greeting, optional, actions, kinds, footLinks } = texts[language]
  const said = kinds[kind]
  const action = first?.action ?? kindSpecs[kind].action
  const target = typeof fields['link'] === 'string' ? fields['link'] : first?.link
  const buttonText = said.button ?? (action === undefined ? undefined : actions[action])
  const links = more.flatMap((page) =>
    page.action === undefined ? [] : [{ text: actions[page.action], link: page.link }],
  )
  const body = fill(said.mail ?? said.text)
  const small = [
    ...(unsubscribe === undefined ? [] : [{ text: footLinks.unsubscribe, link: unsubscribe }]),
    ...Object.entries(site === undefined ? {} : footPages(kind)).map(([name, path]) => ({
      text: footLinks[name as FootPage],
      link: `${site}/${language}${path}`,
    })),
  ]
  return {
    subject: fill(said.title),
    ...layoutMail({
      language,
      title: fill(said.heading ?? said.title),
      text: partsOf(username === undefined ? body : `${greeting.replace('{username}', oneLine(username))}\n\n${body}`),
      ...(target === undefined || buttonText === undefined ? {} : { button: { text: buttonText, link: target } }),
      links,
      ...(typeof fields['code'] === 'string' ? { code: fields['code'] } : {}),
      foot: said.foot ?? (unsubscribe === undefined ? '' : optional),
      footLinks: small,
    }),
  }
}
