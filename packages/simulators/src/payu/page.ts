/** The page on which a payer pays or cancels; one HTML document without scripts. */
import { formatMoney } from '@wakestone/kit/money'
import { escapeHtml as escape, renderDocument } from '../payments/document.ts'
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
    REJECTED: 'The bank did not pay this order.',
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
    REJECTED: 'Bank nie opłacił tego zamówienia.',
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
    REJECTED: 'Die Bank hat diese Bestellung nicht bezahlt.',
    PENDING: 'Diese Zahlung wird bearbeitet.',
    WAITING_FOR_CONFIRMATION: 'Diese Zahlung wartet auf den Shop.',
  },
} as const satisfies Record<string, Record<string, string> & Record<Exclude<OrderStatus, 'NEW'>, string>>
type PageLanguage = keyof typeof texts

const document = (language: PageLanguage, inner: string) =>
  renderDocument({ language, title: texts[language].title, notice: texts[language].notice, inner })

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
