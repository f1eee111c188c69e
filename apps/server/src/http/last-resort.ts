/**
 * The error page for when the pages themselves cannot be rendered: without React, without texts of the web part,
 * without a request of its own.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '@wakestone/contract/primitives'

const texts: Record<Language, { title: string; text: string; code: string; reload: string; home: string }> = {
  en: {
    title: 'Unexpected Application Error!',
    text: 'Something broke on our side. Try again in a moment; your servers aren’t affected.',
    code: 'If it keeps happening, give support this code:',
    reload: 'Try again',
    home: 'Go to the home page',
  },
  pl: {
    title: 'Nieoczekiwany błąd aplikacji!',
    text: 'Coś się u nas zepsuło. Spróbuj ponownie za chwilę; Twoim serwerom nic się nie stało.',
    code: 'Jeśli to się powtarza, podaj pomocy ten kod:',
    reload: 'Spróbuj ponownie',
    home: 'Na stronę główną',
  },
  de: {
    title: 'Unerwarteter Anwendungsfehler!',
    text: 'Bei uns ist etwas kaputtgegangen. Versuch es gleich noch einmal; deine Server sind davon nicht betroffen.',
    code: 'Bleibt es so, nenne dem Support diesen Code:',
    reload: 'Noch einmal versuchen',
    home: 'Zur Startseite',
  },
}

/** Whether an answer to this request is looked at by a person. */
export function wantsPage(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?') // not parsed: it may be what is wrong
  return !/^\/(api|internal|artifacts)\//.test(path) && !path.endsWith('.data')
}

/** Every value in it is ours or hexadecimal: nothing to escape. */
export function sendLastResort(
  reply: FastifyReply,
  { status, eventId, language }: { status: number; eventId: string; language: Language },
): FastifyReply {
  const { title, text, code, reload, home } = texts[language]
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Wakestone</title>
<style>
:root { color-scheme: light dark; --ground: #faf9f6; --text: #1b1f24; --muted: #5c6570; --line: #e4e1d9; --link: #8a5900 }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1116; --text: #e8ebef; --muted: #97a3b2; --line: #27303b; --link: #f5b942 } }
body { display: grid; min-height: 90vh; margin: 0; place-items: center; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, sans-serif }
main { box-sizing: border-box; max-width: 560px; padding: 40px 20px }
h1 { margin: 0; font-size: 28px; line-height: 1.2; letter-spacing: -0.02em; overflow-wrap: anywhere }
p { margin: 12px 0; color: var(--muted) }
code { display: inline-block; padding: 4px 10px; border: 1px solid var(--line); border-radius: 8px; color: var(--text); user-select: all }
a { margin-right: 18px; color: var(--link); font-weight: 600 }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p>${code} <code>${eventId}</code></p>
<p><a href="">${reload}</a><a href="/${language}">${home}</a></p>
</main>
</body>
</html>
`
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    .send(page)
}
