/** One look for every mail: a plain part and a small responsive HTML part that also reads in dark clients. */
import { escapeHtml } from '@wakestone/kit/escape-html'

/** A row of a mail's figures; line breaks of the value stay. */
export type Fact = { label: string; value: string }
/** A paragraph, whose line breaks stay, or a table of figures. */
export type MailPart = string | readonly Fact[]
type Link = { text: string; link: string }

export type MailContent = {
  language: string
  title: string
  text: string | readonly MailPart[]
  button?: Link
  /** Other pages, behind the button's. */
  links?: readonly Link[]
  /** A code to be typed, shown large. */
  code?: string
  /** Empty for none. */
  foot: string
  /** Small, at the end: where such mails are switched off, and what the contract says. */
  footLinks?: readonly Link[]
}

export function layoutMail(content: MailContent): { text: string; html: string } {
  const { language, title, text, button, links = [], code, foot, footLinks = [] } = content
  const parts = typeof text === 'string' ? [text] : text
  const buttonHtml =
    button === undefined
      ? ''
      : `<p style="margin:0 0 24px"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#f5b942;color:#1b1f24;font-weight:600;text-decoration:none">${escapeHtml(button.text)}</a></p>\n`
  const codePart =
    code === undefined
      ? ''
      : `<p style="margin:0 0 24px;font-family:JetBrains Mono,Consolas,monospace;font-size:30px;font-weight:700;letter-spacing:4px">${escapeHtml(code)}</p>\n`
  const linksPart =
    links.length === 0
      ? ''
      : `<p style="margin:0 0 24px;font-size:14px;line-height:2">${links.map((one) => anchor(one, '#8a5900')).join('<br>')}</p>\n`
  const footPart =
    foot === '' ? '' : `<p style="margin:0;font-size:13px;line-height:1.5;color:#5c6570">${withBreaks(foot)}</p>\n`
  const footLinksPart =
    footLinks.length === 0
      ? ''
      : `<p style="margin:12px 0 0;font-size:13px;line-height:1.8">${footLinks.map((one) => anchor(one, '#5c6570')).join('<br>')}</p>\n`
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#faf9f6;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif;color:#1b1f24">
<table role="presentation" align="center" width="100%" style="max-width:520px;background:#ffffff;border:1px solid #e4e1d9;border-radius:8px"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-weight:700">Wakestone</p>
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${parts.map(partHtml).join('')}${codePart}${buttonHtml}${linksPart}${footPart}${footLinksPart}</td></tr></table>
${senderPlace}</body>
</html>
`
  const listed = (list: readonly Link[]) => list.map((one) => `${one.text}: ${one.link}`).join('\n')
  const plain = [
    title,
    ...parts.map((part) => (typeof part === 'string' ? part : alignFacts(part))),
    code,
    button && listed([button]),
    listed(links),
    foot,
    listed(footLinks),
  ].filter((part) => part !== undefined && part !== '')
  return { text: `${plain.join('\n\n')}\n`, html }
}

const withBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')

const anchor = ({ text, link }: Link, colour: string) =>
  `<a href="${escapeHtml(link)}" style="color:${colour}">${escapeHtml(text)}</a>`

function partHtml(part: MailPart): string {
  if (typeof part === 'string')
    return `<p style="margin:0 0 24px;font-size:16px;line-height:1.5;overflow-wrap:anywhere">${withBreaks(part)}</p>\n`
  const cell = 'padding:8px 0;border-top:1px solid #e4e1d9;vertical-align:top'
  const rows = part.map(
    ({ label, value }) =>
      `<tr><th scope="row" style="${cell};padding-right:16px;font-weight:400;color:#5c6570;text-align:left">${escapeHtml(label)}</th><td style="${cell};text-align:right;overflow-wrap:anywhere">${withBreaks(value)}</td></tr>\n`,
  )
  return `<table width="100%" style="margin:0 0 24px;border-collapse:collapse;border-bottom:1px solid #e4e1d9;font-size:15px;line-height:1.5">\n${rows.join('')}</table>\n`
}

/** `Label:  value`, the values below each other. */
function alignFacts(facts: readonly Fact[]): string {
  const width = Math.max(...facts.map(({ label }) => label.length)) + 2
  return facts
    .map(({ label, value }) => `${label}:`.padEnd(width) + value.replaceAll('\n', `\n${' '.repeat(width)}`))
    .join('\n')
}

/** Where the mailer writes who sends it. */
const senderPlace = '<!-- sender -->'

/** Puts below a mail who sends it, line by line. Without lines, nothing. */
export function addSender<Mail extends { text: string; html: string }>(mail: Mail, lines: readonly string[]): Mail {
  if (lines.length === 0) return { ...mail, html: mail.html.replace(senderPlace, '') }
  const footer = `<p style="max-width:520px;margin:16px auto 0;font-size:12px;line-height:1.5;color:#5c6570;text-align:center">${lines.map(escapeHtml).join('<br>')}</p>\n`
  return {
    ...mail,
    // The line by which mail programs know what stands below: answers do not repeat it.
    text: `${mail.text}\n-- \n${lines.join('\n')}\n`,
    html: mail.html.replace(senderPlace, () => footer),
  }
}
