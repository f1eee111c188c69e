/** Words of the printed documents. */
import type { DocumentKind } from '@wakestone/contract/invoicing/invoice'
import type { Language } from '@wakestone/contract/primitives'
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'

type PrintedTexts = {
  kinds: Record<DocumentKind, string>
  sample: string
  issued: string
  sold: string
  number: string
  corrects: string
  correctsNone: string
  correctedOf: string
  correctionReason: string
  seller: string
  buyer: string
  unnamedBuyer: string
  vatId: string
  taxNumber: string
  description: string
  quantity: string
  unitNet: string
  net: string
  rate: string
  vat: string
  gross: string
  total: string
  paidAmount: string
  refundedAmount: string
  wallet: string
  payment: string
  transaction: string
  notes: Record<TaxTreatment, string>
  notTaxed: string
  homeVat: string
  exchangeNote: string
  checked: string
  page: string
  ksef: string
  ksefOffline: string
}

export const printedTexts: Record<Language, PrintedTexts> = {
  en: {
    kinds: { invoice: 'Invoice', receipt: 'Receipt', credit_note: 'Credit note' },
    sample: 'Sample: no real seller',
    issued: 'Issued',
    sold: 'Date of sale',
    number: 'No.',
    corrects: 'Corrects document',
    correctsNone: 'Corrects earlier sales of the same service',
    correctedOf: 'of',
    correctionReason: 'Reason',
    seller: 'Seller',
    buyer: 'Buyer',
    unnamedBuyer: 'Consumer, account',
    vatId: 'VAT ID',
    taxNumber: 'Tax number',
    description: 'Description',
    quantity: 'Qty',
    unitNet: 'Unit net',
    net: 'Net',
    rate: 'VAT rate',
    vat: 'VAT',
    gross: 'Gross',
    total: 'Total',
    paidAmount: 'Paid',
    refundedAmount: 'Refunded',
    wallet: 'Customer’s wallet',
    payment: 'Payment',
    transaction: 'Transaction',
    notes: {
      domestic: '',
      destination: 'VAT at the rate of the buyer’s country, reported through the One Stop Shop.',
      seller_rate: 'VAT at the rate of the seller’s country (Article 59c of Directive 2006/112/EC).',
      reverse_charge:
        'Reverse charge: VAT is to be accounted for by the recipient (Article 196 of Directive 2006/112/EC).',
      outside: 'Not subject to VAT in the European Union: the place of supply is outside it.',
    },
    notTaxed: 'n/a',
    homeVat: 'VAT in {currency}',
    exchangeNote: 'Mid rate of Narodowy Bank Polski, table {table} of {day}: 1 {from} = {rate} {to}.',
    checked: 'VAT ID checked in VIES on {day}',
    page: 'Page {page}',
    ksef: 'KSeF number',
    ksefOffline: 'OFFLINE',
  },
  pl: {
    kinds: { invoice: 'Faktura', receipt: 'Potwierdzenie sprzedaży', credit_note: 'Faktura korygująca' },
    sample: 'Wzór: bez prawdziwego sprzedawcy',
    issued: 'Data wystawienia',
    sold: 'Data sprzedaży',
    number: 'nr',
    corrects: 'Koryguje dokument',
    correctsNone: 'Koryguje wcześniejszą sprzedaż tej samej usługi',
    correctedOf: 'z dnia',
    correctionReason: 'Przyczyna',
    seller: 'Sprzedawca',
    buyer: 'Nabywca',
    unnamedBuyer: 'Konsument, konto',
    vatId: 'Numer VAT',
    taxNumber: 'Numer podatkowy',
    description: 'Nazwa usługi',
    quantity: 'Ilość',
    unitNet: 'Cena netto',
    net: 'Netto',
    rate: 'Stawka',
    vat: 'VAT',
    gross: 'Brutto',
    total: 'Razem',
    paidAmount: 'Zapłacono',
    refundedAmount: 'Zwrócono',
    wallet: 'Portfel klienta',
    payment: 'Płatność',
    transaction: 'Transakcja',
    notes: {
      domestic: '',
      destination: 'VAT według stawki kraju nabywcy, rozliczany w procedurze OSS.',
      seller_rate: 'VAT według stawki kraju sprzedawcy (art. 59c dyrektywy 2006/112/WE).',
      reverse_charge: 'Odwrotne obciążenie: podatek rozlicza nabywca (art. 196 dyrektywy 2006/112/WE).',
      outside: 'Nie podlega VAT w Unii Europejskiej: miejsce świadczenia jest poza nią.',
    },
    notTaxed: 'np.',
    homeVat: 'VAT w {currency}',
    exchangeNote: 'Kurs średni Narodowego Banku Polskiego, tabela {table} z dnia {day}: 1 {from} = {rate} {to}.',
    checked: 'Numer VAT sprawdzony w VIES dnia {day}',
    page: 'Strona {page}',
    ksef: 'Numer KSeF',
    ksefOffline: 'OFFLINE',
  },
  de: {
    kinds: { invoice: 'Rechnung', receipt: 'Beleg', credit_note: 'Rechnungskorrektur' },
    sample: 'Muster: kein echter Verkäufer',
    issued: 'Ausgestellt am',
    sold: 'Leistungsdatum',
    number: 'Nr.',
    corrects: 'Korrigiert Dokument',
    correctsNone: 'Korrigiert frühere Verkäufe derselben Leistung',
    correctedOf: 'vom',
    correctionReason: 'Grund',
    seller: 'Verkäufer',
    buyer: 'Käufer',
    unnamedBuyer: 'Verbraucher, Konto',
    vatId: 'USt-IdNr.',
    taxNumber: 'Steuernummer',
    description: 'Bezeichnung',
    quantity: 'Menge',
    unitNet: 'Einzelpreis',
    net: 'Netto',
    rate: 'USt-Satz',
    vat: 'USt',
    gross: 'Brutto',
    total: 'Summe',
    paidAmount: 'Bezahlt',
    refundedAmount: 'Erstattet',
    wallet: 'Guthaben des Kunden',
    payment: 'Zahlung',
    transaction: 'Transaktion',
    notes: {
      domestic: '',
      destination: 'Umsatzsteuer zum Satz des Landes des Käufers, gemeldet über das OSS-Verfahren.',
      seller_rate: 'Umsatzsteuer zum Satz des Landes des Verkäufers (Art. 59c der Richtlinie 2006/112/EG).',
      reverse_charge: 'Steuerschuldnerschaft des Leistungsempfängers (Art. 196 der Richtlinie 2006/112/EG).',
      outside: 'In der Europäischen Union nicht steuerbar: Der Leistungsort liegt außerhalb.',
    },
    notTaxed: 'n. st.',
    homeVat: 'USt in {currency}',
    exchangeNote: 'Mittelkurs der Narodowy Bank Polski, Tabelle {table} vom {day}: 1 {from} = {rate} {to}.',
    checked: 'USt-IdNr. am {day} in VIES geprüft',
    page: 'Seite {page}',
    ksef: 'KSeF-Nummer',
    ksefOffline: 'OFFLINE',
  },
}
