/** PayPal's page as the simulator has it, on which a payer approves or cancels; one HTML document without scripts. */
import { formatMoney } from '@wakestone/kit/money'
import { cents, type Order, unitOf } from './orders.ts'

const texts = {
  en: {
    title: 'PayPal',
    notice: 'Simulator — no real money is moved',
    to: 'Paid to',
    what: 'For',
    amount: 'Amount due',
    approve: 'Agree and pay',
    cancel: 'Cancel and return',
    unknown: 'This order does not exist, or its time is over.',
    over: 'This order was dealt with already.',
    back: 'Back to the shop',
  },
  pl: {
    title: 'PayPal',
    notice: 'Symulator — żadne prawdziwe pieniądze nie są przekazywane',
    to: 'Odbiorca',
    what: 'Za co',
    amount: 'Do zapłaty',
    approve: 'Zgadzam się i płacę',
    cancel: 'Anuluj i wróć',
    unknown: 'Takie zamówienie nie istnieje lub minął jego czas.',
    over: 'To zamówienie zostało już obsłużone.',
    back: 'Wróć do sklepu',
  },
  de: {
    title: 'PayPal',
    notice: 'Simulator — es wird kein echtes Geld bewegt',
    to: 'Empfänger',
    what: 'Wofür',
    amount: 'Zu zahlen',
    approve: 'Zustimmen und bezahlen',
    cancel: 'Abbrechen und zurück',
    unknown: 'Diese Bestellung gibt es nicht, oder ihre Zeit ist abgelaufen.',
    over: 'Diese Bestellung ist bereits erledigt.',
    back: 'Zurück zum Shop',
  },
} as const
type PageLanguage = keyof typeof texts

const style = `
:root{color-scheme:light dark;--ground:#eef1f6;--card:#fff;--ink:#121a2b;--soft:#56617a;--line:#d3dae6;--go:#0a58ca;--goInk:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#10141d;--card:#1a2130;--ink:#e8ecf5;--soft:#98a4ba;--line:#303a4f;--go:#6ea3ff;--goInk:#06101f}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:420px;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.notice{margin:0;padding:10px 24px;background:#ffd34d;color:#3a2c00;font-weight:600;font-size:14px}
.inner{padding:24px}h1{margin:0 0 16px;font-size:20px}dl{margin:0 0 24px;display:grid;gap:12px}dt{color:var(--soft);font-size:14px}dd{margin:0;overflow-wrap:anywhere}
.sum{font-size:32px;font-weight:700;font-variant-numeric:tabular-nums;line-height:1.2}form{display:grid;gap:12px}
button,a.button{font:inherit;font-weight:600;min-height:48px;border-radius:8px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer;display:grid;place-items:center;text-decoration:none}
button.go{background:var(--go);border-color:var(--go);color:var(--goInk)}button:focus-visible,a:focus-visible{outline:3px solid #4c8dff;outline-offset:2px}`

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

function document(language: PageLanguage, inner: string): string {
  const text = texts[language]
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${text.title}</title><style>${style}</style></head><body><main><p class="notice">${text.notice}</p><div class="inner"><h1>${text.title}</h1>${inner}</div></main></body></html>`
}

/** The payer's language, return and cancel addresses. */
export const contextOf = ({ request }: Order) =>
  request.payment_source?.paypal.experience_context ?? request.application_context ?? {}

/** @param order undefined: no such order. */
export function renderPayerPage(order: Order | undefined): string {
  const context = order === undefined ? {} : contextOf(order)
  const given = context.locale?.slice(0, 2).toLowerCase() ?? 'en'
  const language: PageLanguage = given in texts ? (given as PageLanguage) : 'en'
  const text = texts[language]
  if (order === undefined) return document(language, `<p>${text.unknown}</p>`)
  const { amount, description = '' } = unitOf(order)
  const sum = escape(formatMoney({ amount: cents(amount), currency: amount.currency_code }, language))
  const row = (name: string, value: string, look = '') =>
    value === '' ? '' : `<div><dt>${name}</dt><dd${look}>${escape(value)}</dd></div>`
  const summary = `<dl>${row(text.to, context.brand_name ?? '')}${row(text.what, description)}<div><dt>${text.amount}</dt><dd class="sum">${sum}</dd></div></dl>`
  if (order.status !== 'CREATED' && order.status !== 'PAYER_ACTION_REQUIRED') {
    const back =
      context.return_url === undefined ? '' : `<a class="button" href="${escape(context.return_url)}">${text.back}</a>`
    return document(language, `${summary}<p role="status">${text.over}</p>${back}`)
  }
  return document(
    language,
    `${summary}<form method="post" action="/checkoutnow"><input type="hidden" name="token" value="${order.id}"><button class="go" name="action" value="approve">${text.approve}</button><button name="action" value="cancel">${text.cancel}</button></form>`,
  )
}
