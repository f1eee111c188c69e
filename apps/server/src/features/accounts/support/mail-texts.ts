/** What somebody has written in a mail, without what their program repeats below. */
import { ticketLimits } from '@wakestone/contract/primitives'
import { answerLine } from './mails.ts'

/** How a mail program begins what it repeats, in the languages that programs write. */
const repeated =
  /^(?:>|-{2,} ?(?:original message|oryginalna wiadomo\u015B\u0107|wiadomo\u015B\u0107 oryginalna|urspr\u00FCngliche nachricht) ?-{2,}|_{20,}$|(?:on|am|w dniu|dnia) .{4,200}(?:wrote|schrieb|pisze|napisa\u0142(?:\(a\)|a)?).{0,120}:$|(?:from|od|von): ?\S.{0,200}$)/iu

/** @param text of a mail; @returns '' when nothing was written. */
export function ownWords(text: string): string {
  const lines = plainText(text).split('\n')
  const marked = lines.findIndex((line) => line.includes(answerLine.trim()))
  const before = marked < 0 ? lines : lines.slice(0, marked)
  // Above our line a program has put who wrote when, and marks of what is repeated.
  const quote = marked < 0 ? findQuote(before) : undefined
  const kept = quote === undefined ? [...before] : before.slice(0, quote)
  while (kept.length > 0 && isPadding(kept.at(-1) ?? '')) kept.pop()
  return kept.join('\n').trim().slice(0, ticketLimits.answer)
}

/** Where what is repeated goes on to the end. */
function findQuote(lines: readonly string[]): number | undefined {
  const at = lines.findIndex(
    (line, index) => index > 0 && repeated.test(line.trim()) && lines.slice(index + 1).every((rest) => isTail(rest)),
  )
  return at < 0 ? undefined : at
}
const isTail = (line: string) => /^\s*(?:>|$)/u.test(line)
const isPadding = (line: string) => line.trim() === '' || /^\s*>?\s*$/u.test(line) || repeated.test(line.trim())

/** Without what cannot be stored or seen. */
export function plainText(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/gu, '\n')
      // oxlint-disable-next-line no-control-regex -- they are what is removed
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]|\p{Cs}/gu, '')
      .normalize('NFC')
  )
}

const longestHtml = 500_000
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a page, roughly as it breaks its lines. Nothing of it is ever shown as a page. */
export function wordsOfHtml(html: string): string {
  const text = html
    .slice(0, longestHtml)
    .replaceAll(/<(?:script|style|head|title)\b[^>]{0,2000}>[^<]{0,100000}/giu, '')
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6]|\/blockquote)\b[^>]{0,2000}>/giu, '\n')
    .replaceAll(/<blockquote\b[^>]{0,2000}>/giu, '\n> ')
    .replaceAll(/<[a-z!/?][^>]{0,20000}>?/giu, '')
  return text
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu, (whole, decimal, hex, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : ''
    })
    .replaceAll(/[ \t\u00A0]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim()
}
