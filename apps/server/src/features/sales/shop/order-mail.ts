/**
 * Confirms orders to who paid, and that they got their money back: they have no account, and the page of their order has
 * no other way to be found again.
 */
import type { Language } from '@wakestone/contract/primitives'
import type { PublicShop } from '@wakestone/contract/sales/shop'
import { formatMoney, type Money } from '@wakestone/kit/money'
import { publicUrl } from '@wakestone/kit/settings'
import { layoutMail } from '#src/adapters/mail/layout.ts'
import { writeTime } from '#src/adapters/mail/write-time.ts'
import type { Context } from '#src/context.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { orderPath } from './order-key.ts'
import type { OrderedItem } from './orders.ts'
import { claimMail, endMail, type OrderRow } from './orders-repo.ts'
import { findShop, type ShopRow } from './repo.ts'

const atOnce = 10
const triesAllowed = 10

type Deps = Pick<Context, 'db' | 'logger' | 'mailer' | 'settings' | 'secrets'>

type Texts = Record<
  | 'subject'
  | 'title'
  | 'free'
  | 'lead'
  | 'refundSubject'
  | 'refundTitle'
  | 'refundLead'
  | 'consent'
  | 'number'
  | 'item'
  | 'player'
  | 'giver'
  | 'server'
  | 'full'
  | 'discount'
  | 'total'
  | 'until'
  | 'at'
  | 'seller'
  | 'taxId'
  | 'button'
  | 'foot',
  string
>

const texts: Record<Language, Texts> = {
  en: {
    subject: 'Your order from {shop}: {item}',
    title: 'Thank you for your order',
    free: 'Free',
    lead: 'The order’s page shows when everything has arrived in the game. Keep this e-mail: its link is the way back to that page.',
    refundSubject: 'Refund of your order from {shop}: {item}',
    refundTitle: 'Your order is being refunded',
    refundLead:
      'The seller is refunding your payment in full. It returns the way you paid; banks may take a few days.[ What you bought is taken back in the game.]',
    consent:
      'You asked for delivery right away, knowing that you lose your right of withdrawal once everything has been delivered.',
    number: 'Order number',
    item: 'Item',
    player: 'For',
    giver: 'From',
    server: 'Server',
    full: 'Price',
    discount: 'Discount',
    total: 'Total',
    until: 'Until',
    at: 'Ordered',
    seller: 'Seller',
    taxId: 'Tax number',
    button: 'View the order',
    foot: 'The contract is between you and the seller; we only take the payment for them. Your reply to this e-mail goes to the seller.',
  },
  pl: {
    subject: 'Twoje zamówienie w sklepie {shop}: {item}',
    title: 'Dziękujemy za zamówienie',
    free: 'Za darmo',
    lead: 'Na stronie zamówienia widać, kiedy wszystko dotrze do gry. Zachowaj tę wiadomość: jej link prowadzi z powrotem na tę stronę.',
    refundSubject: 'Zwrot za zamówienie w sklepie {shop}: {item}',
    refundTitle: 'Zwracamy pieniądze za Twoje zamówienie',
    refundLead:
      'Sprzedawca zwraca całą płatność. Pieniądze wrócą tą samą drogą; banki potrzebują na to kilku dni.[ To, co kupiono, zniknie z gry.]',
    consent: 'Chcesz otrzymać zamówienie od razu i wiesz, że po dostarczeniu tracisz prawo odstąpienia od umowy.',
    number: 'Numer zamówienia',
    item: 'Przedmiot',
    player: 'Dla',
    giver: 'Od',
    server: 'Serwer',
    full: 'Cena',
    discount: 'Rabat',
    total: 'Razem',
    until: 'Do',
    at: 'Data zamówienia',
    seller: 'Sprzedawca',
    taxId: 'Numer podatkowy',
    button: 'Pokaż zamówienie',
    foot: 'Umowę zawierasz ze sprzedawcą, my tylko przyjmujemy dla niego płatność. Odpowiedź na tę wiadomość trafi do sprzedawcy.',
  },
  de: {
    subject: 'Deine Bestellung bei {shop}: {item}',
    title: 'Danke für deine Bestellung',
    free: 'Kostenlos',
    lead: 'Auf der Seite der Bestellung siehst du, wann alles im Spiel angekommen ist. Heb diese E-Mail auf: Ihr Link führt zu dieser Seite zurück.',
    refundSubject: 'Erstattung deiner Bestellung bei {shop}: {item}',
    refundTitle: 'Deine Bestellung wird erstattet',
    refundLead:
      'Der Verkäufer erstattet die ganze Zahlung. Das Geld kommt auf demselben Weg zurück; Banken brauchen ein paar Tage.[ Was du gekauft hast, wird im Spiel zurückgenommen.]',
    consent:
      'Du hast um sofortige Lieferung gebeten und weißt, dass du mit der Lieferung dein Widerrufsrecht verlierst.',
    number: 'Bestellnummer',
    item: 'Artikel',
    player: 'Für',
    giver: 'Von',
    server: 'Server',
    full: 'Preis',
    discount: 'Rabatt',
    total: 'Gesamt',
    until: 'Bis',
    at: 'Bestellt am',
    seller: 'Verkäufer',
    taxId: 'Steuernummer',
    button: 'Bestellung ansehen',
    foot: 'Der Vertrag besteht zwischen dir und dem Verkäufer; wir nehmen nur die Zahlung für ihn entgegen. Deine Antwort auf diese E-Mail geht an den Verkäufer.',
  },
}

/** Tells buyers whose order is paid, or cost nothing. One that cannot be told now is tried again for some days. */
export async function mailBuyers(context: Deps): Promise<void> {
  const { db, logger } = context
  for (let sent = 0; sent < atOnce; sent++) {
    const order = await claimMail(db)
    if (order === undefined) return
    try {
      await mailBuyer(context, order)
      await endMail(db, order)
    } catch (error) {
      const isFinal = order.mail_tries >= triesAllowed
      logger.warn({ error, order: order.id, final: isFinal }, 'the confirmation of an order was not sent')
      if (isFinal) await endMail(db, order)
    }
  }
}

async function mailBuyer(context: Deps, order: OrderRow): Promise<void> {
  const { db, settings, mailer } = context
  const shop = await findShop(db, order.server_id)
  const server = await findServer(db, order.server_id)
  if (order.email === null || shop === undefined || server === undefined) return
  const site = publicUrl(settings)
  const seller = shop.seller as PublicShop['seller']
  await mailer.send({
    to: order.email,
    ...(seller.email !== '' && { replyTo: seller.email }),
    messageId: `<shop-order-${order.id}${isRefunded(order) ? '-refund' : ''}@${new URL(site).hostname}>`,
    ...writeOrderMail(order, {
      shop,
      seller,
      server: server.name,
      timeZone: settings.SELLER_TIME_ZONE,
      link: `${site}/${order.language}${orderPath(context, order.id)}`,
    }),
  })
}

const isRefunded = (order: OrderRow) => order.return_kind === 'refund'

function writeOrderMail(
  order: OrderRow,
  {
    shop,
    seller,
    server,
    timeZone,
    link,
  }: {
    shop: ShopRow
    seller: PublicShop['seller']
    server: string
    timeZone: string
    link: string
  },
): { subject: string; text: string; html: string } {
  const language = order.language as Language
  const said = texts[language]
  const { name, commands } = order.item as OrderedItem
  const isBack = isRefunded(order)
  // Nothing is taken back in the game unless the owner has set commands for it.
  const isTaken = commands.some(({ stage }) => stage === 'refund' || stage === 'expiry')
  const refundLead = said.refundLead.replace(/\[([^\]]*)\]/, (_, words: string) => (isTaken ? words : ''))
  const write = (amount: number) => formatMoney({ amount, currency: order.currency as Money['currency'] }, language)
  const isReduced = order.full_amount > order.amount
  const time = (at: Date) => writeTime(at, { language, timeZone })
  const known: [label: string, value: string | null][] = [
    [said.number, order.id],
    [said.item, `${name}${order.quantity > 1 ? ` × ${order.quantity}` : ''}`],
    [said.player, order.player],
    [said.giver, order.giver],
    [said.server, server],
    [said.full, isReduced ? write(order.full_amount) : null],
    [said.discount, isReduced ? write(order.amount - order.full_amount) : null],
    [said.total, order.amount === 0 ? said.free : write(order.amount)],
    [said.until, order.ends_at === null ? null : time(order.ends_at)],
    [said.at, time(order.created_at)],
  ]
  const facts = known.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
  const sellerFacts = [
    { label: said.seller, value: [seller.name, seller.address, seller.email].filter(Boolean).join('\n') },
    ...(seller.tax_id === '' ? [] : [{ label: said.taxId, value: seller.tax_id }]),
  ]
  return {
    subject: (isBack ? said.refundSubject : said.subject)
      .replace('{shop}', () => shop.title)
      .replace('{item}', () => name),
    ...layoutMail({
      language,
      title: isBack ? said.refundTitle : said.title,
      text: [facts, sellerFacts, ...(isBack ? [refundLead] : [said.consent, said.lead])],
      button: { text: said.button, link },
      foot: said.foot,
    }),
  }
}
