/** The page on which somebody agrees or not; one HTML document without scripts. */
import type { DiscordAccount } from './accounts.ts'

/** What a browser brings to the page. */
export type ConsentRequest = {
  response_type: string
  client_id: string
  redirect_uri: string
  scope: string
  state?: string
  prompt?: string
  code_challenge?: string
  code_challenge_method?: string
}

const style = `
:root{color-scheme:light dark;--ground:#eceef6;--card:#fff;--ink:#1a1c24;--soft:#5a6072;--line:#d5d9e6;--go:#4752c4}
@media (prefers-color-scheme:dark){:root{--ground:#15161c;--card:#22242d;--ink:#eceef6;--soft:#a4abbf;--line:#3a3e4d;--go:#5865f2}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:440px;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.notice{margin:0;padding:10px 24px;background:#ffd34d;color:#3a2c00;font-weight:600;font-size:14px}
.inner{padding:24px}h1{margin:0 0 4px;font-size:20px}p{margin:0 0 18px;color:var(--soft)}form{display:grid;gap:10px}
label{display:flex;gap:12px;align-items:center;min-height:52px;padding:8px 14px;border:1px solid var(--line);border-radius:8px;overflow-wrap:anywhere}
label small{display:block;color:var(--soft)}input[type=email]{flex:1;min-width:0;font:inherit;padding:8px;border:1px solid var(--line);border-radius:6px;background:transparent;color:var(--ink)}
button{font:inherit;font-weight:600;min-height:48px;border-radius:8px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer}
button.go{background:var(--go);border-color:var(--go);color:#fff}button:focus-visible,input:focus-visible{outline:3px solid #8fa0ff;outline-offset:2px}`

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

function document(inner: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Discord simulator</title><style>${style}</style></head><body><main><p class="notice">Simulator — this is not Discord</p><div class="inner">${inner}</div></main></body></html>`
}

export function renderConsentPage(request: ConsentRequest, accounts: readonly DiscordAccount[]): string {
  const hidden = Object.entries(request)
    .filter(([name]) => !['account', 'email', 'action'].includes(name))
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(String(value))}">`)
    .join('')
  const choices = accounts
    .map(
      ({ id, username, global_name, email, verified }, at) =>
        `<label><input type="radio" name="account" value="${id}"${at === 0 ? ' checked' : ''}><span>${escape(global_name ?? username)}<small>${escape(email ?? '')}${verified ? '' : ' (not verified)'}</small></span></label>`,
    )
    .join('')
  const own = `<label><input type="radio" name="account" value="own" aria-label="Another account"><input type="email" name="email" aria-label="Address of another account" placeholder="another@example.com"></label>`
  const { host } = new URL(request.redirect_uri)
  return document(
    `<h1>${escape(host)} wants to know you</h1><p>It asks for: ${escape(request.scope.split(' ').join(', '))}</p><form method="post" action="/oauth2/authorize">${hidden}${choices}${own}<button class="go" name="action" value="allow">Authorize</button><button name="action" value="deny">Cancel</button></form>`,
  )
}

export function renderRefusalPage(fault: string): string {
  return document(`<h1>${escape(fault)}</h1><p>This request is not as Discord takes it.</p>`)
}
