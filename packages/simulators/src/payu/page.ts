/** The page on which a payer pays or cancels; one HTML document without scripts. */
import { formatMoney } from '@wakestone/kit/money'
import type { Order, OrderStatus } from './orders.ts'

const texts = {
  en: {
    title: 'Payment',
    notice: 'Simulator — no real money is moved',
    to: 'Order',
    amount: 'Amount due',
    pay: 'Pay',
    cancel: 'Cancel',
    unknown: 'This order does not exist.',
    back: 'Back to the shop',
    COMPLETED: 'This order is paid.',
    CANCELED: 'This order was cancelled.',
    PENDING: 'This payment is being processed.',
    WAITING_FOR_CONFIRMATION: 'This payment waits for the shop.',
  },
  pl: {
    title: 'Płatność',
    notice: 'Symulator — żadne prawdziwe pieniądze nie są przekazywane',
    to: 'Zamówienie',
    amount: 'Do zapłaty',
    pay: 'Zapłać',
    cancel: 'Anuluj',
    unknown: 'Takie zamówienie nie istnieje.',
    back: 'Wróć do sklepu',
    COMPLETED: 'To zamówienie jest opłacone.',
    CANCELED: 'To zamówienie zostało anulowane.',
    PENDING: 'Ta płatność jest przetwarzana.',
    WAITING_FOR_CONFIRMATION: 'Ta płatność czeka na sklep.',
  },
  de: {
    title: 'Zahlung',
    notice: 'Simulator — es wird kein echtes Geld bewegt',
    to: 'Bestellung',
    amount: 'Zu zahlen',
    pay: 'Bezahlen',
    cancel: 'Abbrechen',
    unknown: 'Diese Bestellung gibt es nicht.',
    back: 'Zurück zum Shop',
    COMPLETED: 'Diese Bestellung ist bezahlt.',
    CANCELED: 'Diese Bestellung wurde abgebrochen.',
    PENDING: 'Diese Zahlung wird bearbeitet.',
    WAITING_FOR_CONFIRMATION: 'Diese Zahlung wartet auf den Shop.',
  },
} as const satisfies Record<string, Record<string, string> & Record<Exclude<OrderStatus, 'NEW'>, string>>
type PageLanguage = keyof typeof texts

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

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

function document(language: PageLanguage, inner: string): string {
  const text = texts[language]
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${text.title}</title><style>${style}</style></head><body><main><p class="notice">${text.notice}</p><div class="inner"><h1>${text.title}</h1>${inner}</div></main></body></html>`
}

/** @param order undefined: no such order, or not with that token. */
export function renderPayerPage(order: Order | undefined): string {
  const given = order?.request.buyer?.language?.slice(0, 2).toLowerCase() ?? 'en'
  const language: PageLanguage = given in texts ? (given as PageLanguage) : 'en'
  const text = texts[language]
  if (order === undefined) return document(language, `<p>${text.unknown}</p>`)
  const { request, status } = order
  const amount = escape(formatMoney({ amount: Number(request.totalAmount), currency: request.currencyCode }, language))
  const summary = `<dl><div><dt>${text.to}</dt><dd>${escape(request.description)}</dd></div><div><dt>${text.amount}</dt><dd class="sum">${amount}</dd></div></dl>`
  if (status !== 'NEW') {
    const back =
      request.continueUrl === undefined
        ? ''
        : `<a class="button" href="${escape(request.continueUrl)}">${text.back}</a>`
    return document(language, `${summary}<p role="status">${text[status]}</p>${back}`)
  }
  const hidden = `<input type="hidden" name="orderId" value="${escape(order.orderId)}"><input type="hidden" name="token" value="${escape(order.token)}">`
  return document(
    language,
    `${summary}<form method="post" action="/pay/">${hidden}<button class="go" name="action" value="pay">${text.pay} ${amount}</button><button name="action" value="cancel">${text.cancel}</button></form>`,
  )
}
