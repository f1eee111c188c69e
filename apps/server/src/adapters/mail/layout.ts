/** One look for every mail: a plain part and a small responsive HTML part that also reads in dark clients. */
import { escapeHtml } from '@wakestone/kit/escape-html'

export type MailContent = {
  language: string
  title: string
  /** Line breaks stay. */
  text: string
  button?: { text: string; link: string }
  /** Other pages, behind the button's. */
  links?: readonly { text: string; link: string }[]
  /** A code to be typed, shown large. */
  code?: string
  /** Empty for none. */
  foot: string
  /** Where such mails are switched off. */
  unsubscribe?: { text: string; link: string }
}

export function layoutMail(content: MailContent): { text: string; html: string } {
  const { language, title, text, button, links = [], code, foot, unsubscribe } = content
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
      : `<p style="margin:0 0 24px;font-size:14px;line-height:2">${links.map((one) => `<a href="${escapeHtml(one.link)}" style="color:#8a5900">${escapeHtml(one.text)}</a>`).join('<br>')}</p>\n`
  const footPart =
    foot === '' ? '' : `<p style="margin:0;font-size:13px;line-height:1.5;color:#5c6570">${escapeHtml(foot)}</p>\n`
  const unsubscribePart =
    unsubscribe === undefined
      ? ''
      : `<p style="margin:12px 0 0;font-size:13px;line-height:1.5"><a href="${escapeHtml(unsubscribe.link)}" style="color:#5c6570">${escapeHtml(unsubscribe.text)}</a></p>\n`
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#faf9f6;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif;color:#1b1f24">
<table role="presentation" align="center" width="100%" style="max-width:520px;background:#ffffff;border:1px solid #e4e1d9;border-radius:8px"><tr><td style="padding:32px">
<p style="margin:0 0 24px;font-weight:700">Wakestone</p>
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
<p style="margin:0 0 24px;font-size:16px;line-height:1.5;overflow-wrap:anywhere">${escapeHtml(text).replaceAll('\n', '<br>')}</p>
${codePart}${buttonHtml}${linksPart}${footPart}${unsubscribePart}</td></tr></table>
</body>
</html>
`
  const action = button && `${button.text}: ${button.link}`
  const leave = unsubscribe && `${unsubscribe.text}: ${unsubscribe.link}`
  const pages = links.map((one) => `${one.text}: ${one.link}`).join('\n')
  const parts = [title, text, code, action, pages, foot, leave].filter((part) => part !== undefined && part !== '')
  return { text: `${parts.join('\n\n')}\n`, html }
}
