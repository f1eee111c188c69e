/** What the pages of payers have in common: one HTML document without scripts. */

const style = `
:root{color-scheme:light dark;--ground:#eef1f4;--card:#fff;--ink:#17202a;--soft:#5b6876;--line:#d6dde4;--go:#0b7a4b;--goInk:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#12171c;--card:#1b2229;--ink:#e8edf2;--soft:#9aa7b4;--line:#323c46;--go:#2ea56f;--goInk:#06130c}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.notice{margin:0;padding:10px 24px;background:#ffd34d;color:#3a2c00;font-weight:600;font-size:14px}
.inner{padding:24px}h1{margin:0 0 16px;font-size:20px}dl{margin:0 0 24px;display:grid;gap:12px}dt{color:var(--soft);font-size:14px}dd{margin:0;overflow-wrap:anywhere}
.sum{font-size:32px;font-weight:700;font-variant-numeric:tabular-nums;line-height:1.2}form{display:grid;gap:12px}
button,a.button{font:inherit;font-weight:600;min-height:48px;border-radius:8px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer;display:grid;place-items:center;text-decoration:none}
button.go{background:var(--go);border-color:var(--go);color:var(--goInk)}button:focus-visible,a:focus-visible{outline:3px solid #4c8dff;outline-offset:2px}`

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** @param inner HTML, as are the other texts. */
export function renderDocument(given: { language: string; title: string; notice: string; inner: string }): string {
  const { language, title, notice, inner } = given
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main><p class="notice">${notice}</p><div class="inner"><h1>${title}</h1>${inner}</div></main></body></html>`
}

export const documentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
