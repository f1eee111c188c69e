/** The page on which a payer pays, and the one that stands for their bank's app. */
import { formatMoney } from '@wakestone/kit/money'
import { escapeHtml as escape, renderDocument } from '../payments/document.ts'
import { blikId, type Payment } from './payments.ts'

const texts = {
  en: {
    title: 'PayNow payment',
    notice: 'Simulator — no real money is moved',
    to: 'Order',
    amount: 'Amount due',
    pay: 'Pay',
    blik: 'Pay with BLIK',
    refuse: 'Let the bank refuse',
    again: 'Begin anew with another method',
    leave: 'Leave without paying',
    unknown: 'This payment does not exist.',
    back: 'Back to the shop',
    bank: 'The bank’s app',
    none: 'No payment waits for you.',
    confirm: 'Confirm',
    decline: 'Decline',
    CONFIRMED: 'This payment is confirmed.',
    REJECTED: 'This payment was rejected.',
    ERROR: 'This payment failed.',
    EXPIRED: 'The time for this payment is over.',
    ABANDONED: 'This payment goes on elsewhere.',
    PENDING: 'This payment is being processed.',
  },
  pl: {
    title: 'Płatność PayNow',
    notice: 'Symulator — żadne prawdziwe pieniądze nie są przekazywane',
    to: 'Zamówienie',
    amount: 'Do zapłaty',
    pay: 'Zapłać',
    blik: 'Zapłać BLIKIEM',
    refuse: 'Niech bank odmówi',
    again: 'Zacznij od nowa inną metodą',
    leave: 'Wyjdź bez płacenia',
    unknown: 'Taka płatność nie istnieje.',
    back: 'Wróć do sklepu',
    bank: 'Aplikacja banku',
    none: 'Żadna płatność nie czeka.',
    confirm: 'Potwierdź',
    decline: 'Odrzuć',
    CONFIRMED: 'Ta płatność jest potwierdzona.',
    REJECTED: 'Ta płatność została odrzucona.',
    ERROR: 'Ta płatność się nie powiodła.',
    EXPIRED: 'Czas na tę płatność minął.',
    ABANDONED: 'Ta płatność trwa gdzie indziej.',
    PENDING: 'Ta płatność jest przetwarzana.',
  },
  de: {
    title: 'PayNow-Zahlung',
    notice: 'Simulator — es wird kein echtes Geld bewegt',
    to: 'Bestellung',
    amount: 'Zu zahlen',
    pay: 'Bezahlen',
    blik: 'Mit BLIK bezahlen',
    refuse: 'Die Bank ablehnen lassen',
    again: 'Mit anderer Zahlungsart neu beginnen',
    leave: 'Ohne Zahlung verlassen',
    unknown: 'Diese Zahlung gibt es nicht.',
    back: 'Zurück zum Shop',
    bank: 'Die App der Bank',
    none: 'Keine Zahlung wartet.',
    confirm: 'Bestätigen',
    decline: 'Ablehnen',
    CONFIRMED: 'Diese Zahlung ist bestätigt.',
    REJECTED: 'Diese Zahlung wurde abgelehnt.',
    ERROR: 'Diese Zahlung ist fehlgeschlagen.',
    EXPIRED: 'Die Zeit für diese Zahlung ist um.',
    ABANDONED: 'Diese Zahlung läuft anderswo weiter.',
    PENDING: 'Diese Zahlung wird bearbeitet.',
  },
} as const
type Language = keyof typeof texts

function languageOf(payment: Payment | undefined): Language {
  const given = payment?.request.buyer.locale?.slice(0, 2).toLowerCase() ?? 'en'
  return given in texts ? (given as Language) : 'en'
}

const amountOf = ({ request }: Payment, language: Language) =>
  escape(formatMoney({ amount: request.amount, currency: request.currency }, language))

function summaryOf(payment: Payment, language: Language): string {
  const text = texts[language]
  return `<dl><div><dt>${text.to}</dt><dd>${escape(payment.request.description)}</dd></div><div><dt>${text.amount}</dt><dd class="sum">${amountOf(payment, language)}</dd></div></dl>`
}

const hidden = (payment: Payment) =>
  `<input type="hidden" name="paymentId" value="${escape(payment.paymentId)}"><input type="hidden" name="token" value="${escape(payment.token)}">`

/** @param payment undefined: no such payment, or not with that token. */
export function renderPayerPage(payment: Payment | undefined, continueUrl: string | undefined): string {
  const language = languageOf(payment)
  const text = texts[language]
  const render = (inner: string) => renderDocument({ language, title: text.title, notice: text.notice, inner })
  if (payment === undefined) return render(`<p>${text.unknown}</p>`)
  if (payment.status !== 'NEW') {
    const back = continueUrl === undefined ? '' : `<a class="button" href="${escape(continueUrl)}">${text.back}</a>`
    return render(`${summaryOf(payment, language)}<p role="status">${text[payment.status]}</p>${back}`)
  }
  const pay = payment.request.paymentMethodId === blikId ? text.blik : text.pay
  const button = (action: string, label: string, look = '') =>
    `<button ${look} name="action" value="${action}">${label}</button>`
  return render(
    `${summaryOf(payment, language)}<form method="post" action="/pay">${hidden(payment)}${button('pay', `${pay} ${amountOf(payment, language)}`, 'class="go"')}${button('reject', text.refuse)}${button('again', text.again)}${button('leave', text.leave)}</form>`,
  )
}

/** What waits for a bank's user to confirm. */
export function renderBank(payments: readonly Payment[]): string {
  const language = languageOf(payments[0])
  const text = texts[language]
  const list = payments.map(
    (payment) =>
      `${summaryOf(payment, language)}<form method="post" action="/bank">${hidden(payment)}<button class="go" name="action" value="confirm">${text.confirm}</button><button name="action" value="decline">${text.decline}</button></form>`,
  )
  const inner = list.length === 0 ? `<p>${text.none}</p>` : list.join('<hr>')
  return renderDocument({ language, title: text.bank, notice: text.notice, inner })
}
