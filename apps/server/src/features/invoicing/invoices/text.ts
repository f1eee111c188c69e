/** Texts that people wrote, as every XML takes them. Pure. */

/** Without what XML 1.0 forbids: control characters, halves of letters. */
export const allowedInXml = (text: string) =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')

/** One line without needless spaces, of so many letters at most; a dash where nothing is left, as elements may not be empty. */
export function oneLine(text: string, most = 256): string {
  const line = allowedInXml(text).replace(/\s+/g, ' ').trim()
  return [...line].slice(0, most).join('').trim() || '-'
}
