/**
 * What e-invoices must be like, written down a second time, apart from what writes them: the order and number of the
 * elements of FA(3) as the Ministry of Finance published it, with the forms of its values; and of EN 16931 the rules about
 * presence and sums (BR-…), asked of UBL and of CII alike. The schema of CII comes with a package; those of FA(3) and UBL
 * come with none.
 */
import { all, type Element, textAt } from './xml.ts'

/** Children of an element of FA(3), each name followed by a space; what is not listed holds text. */
const fa3: Record<string, RegExp> = {
  Faktura: /^Naglowek Podmiot1 Podmiot2 (Podmiot3 ){0,100}(PodmiotUpowazniony )?Fa (Stopka )?(Zalacznik )?$/,
  Naglowek: /^KodFormularza WariantFormularza DataWytworzeniaFa (SystemInfo )?$/,
  Podmiot1: /^(PrefiksPodatnika )?(NrEORI )?DaneIdentyfikacyjne Adres (AdresKoresp )?(DaneKontaktowe ){0,3}$/,
  Podmiot2:
    /^(NrEORI )?DaneIdentyfikacyjne (Adres )?(AdresKoresp )?(DaneKontaktowe ){0,3}(NrKlienta )?(IDNabywcy )?JST GV $/,
  DaneIdentyfikacyjne: /^(NIP |KodUE NrVatUE |(KodKraju )?NrID |BrakID )Nazwa $/,
  Adres: /^KodKraju AdresL1 (AdresL2 )?(GLN )?$/,
  Fa: new RegExp(
    `^KodWaluty P_1 (P_1M )?P_2 (P_6 )?${[1, 2, 3, 4].map((rate) => `(P_13_${rate} P_14_${rate} (P_14_${rate}W )?)?`).join('')}` +
      '(P_13_5 (P_14_5 )?)?(P_13_6_1 )?(P_13_6_2 )?(P_13_6_3 )?(P_13_7 )?(P_13_8 )?(P_13_9 )?(P_13_10 )?(P_13_11 )?' +
      'P_15 Adnotacje RodzajFaktury (PrzyczynaKorekty )?(TypKorekty )?(DaneFaKorygowanej )*(FaWiersz )*(Platnosc )?$',
  ),
  Adnotacje: /^P_16 P_17 P_18 P_18A Zwolnienie NoweSrodkiTransportu P_23 PMarzy $/,
  Zwolnienie: /^(P_19 P_19[ABC] |P_19N )$/,
  NoweSrodkiTransportu: /^P_22N $/,
  PMarzy: /^P_PMarzyN $/,
  DaneFaKorygowanej: /^DataWystFaKorygowanej NrFaKorygowanej (NrKSeF NrKSeFFaKorygowanej |NrKSeFN )$/,
  FaWiersz:
    /^NrWierszaFa (P_7 )?(P_8A )?(P_8B )?(P_9A )?(P_9B )?(P_10 )?(P_11 )?(P_11A )?(P_11Vat )?(P_12 )?(P_12_XII )?(KursWaluty )?$/,
  Platnosc: /^(Zaplacono DataZaplaty )?(FormaPlatnosci |PlatnoscInna OpisPlatnosci )?$/,
}
const day = /^20\d\d-\d\d-\d\d$/
const amount = /^-?\d{1,16}(\.\d{1,2})?$/
const values: [names: RegExp, value: RegExp][] = [
  [/^(P_1|P_6|DataWystFaKorygowanej|DataZaplaty)$/, day],
  [/^(P_13_\w+|P_14_\w+|P_15|P_11|P_11Vat)$/, amount],
  [/^NIP$/, /^[1-9](\d[1-9]|[1-9]\d)\d{7}$/],
  [/^(P_16|P_17|P_18|P_18A|P_23|JST|GV)$/, /^[12]$/],
  [/^(P_19N|P_22N|P_PMarzyN|BrakID|NrKSeFN|Zaplacono|PlatnoscInna)$/, /^1$/],
  [/^(KodWaluty)$/, /^[A-Z]{3}$/],
  [/^(KodKraju|KodUE|PrefiksPodatnika)$/, /^[A-Z]{2}$/],
  [/^RodzajFaktury$/, /^(VAT|KOR|ZAL|ROZ|UPR|KOR_ZAL|KOR_ROZ)$/],
  [/^P_12$/, /^(23|22|8|7|5|4|3|0 KR|0 WDT|0 EX|zw|oo|np I|np II)$/],
  [/^P_12_XII$/, /^\d{1,2}(\.\d{1,2})?$/],
  [/^KursWaluty$/, /^\d+(\.\d{1,6})?$/],
  [/^DataWytworzeniaFa$/, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  [/^(P_2|P_8A|OpisPlatnosci|PrzyczynaKorekty|NrFaKorygowanej)$/, /^(?! )(?!.* $).{1,256}$/u],
  [/^(P_7|Nazwa|AdresL1|AdresL2)$/, /^(?! )(?!.* {2})(?!.* $).{1,512}$/u],
]
const cents = (text: string | undefined) => Math.round(Number(text ?? Number.NaN) * 100)
const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)

/** @returns what is wrong with an FA(3); nothing is. */
export function findFa3Faults(root: Element): string[] {
  const faults: string[] = []
  const visit = (element: Element) => {
    const names = element.children.map(({ name }) => `${name} `).join('')
    const order = fa3[element.name]
    if (order === undefined ? names !== '' : !order.test(names)) faults.push(`${element.name}: ${names}`)
    for (const [of, value] of values)
      if (of.test(element.name) && !value.test(element.text)) faults.push(`${element.name} = ${element.text}`)
    element.children.forEach(visit)
  }
  visit(root)
  if (root.attributes['xmlns'] !== 'http://crd.gov.pl/wzor/2025/06/25/13775/') faults.push('xmlns')
  const { kodSystemowy, wersjaSchemy } = all(root, 'Naglowek/KodFormularza')[0]?.attributes ?? {}
  if (kodSystemowy !== 'FA (3)' || wersjaSchemy !== '1-0E') faults.push('KodFormularza')
  const parts = all(root, 'Fa').flatMap(({ children }) => children)
  const total = sum(parts.filter(({ name }) => /^P_1[34]_(?!\w*W$)/.test(name)).map(({ text }) => cents(text)))
  if (total !== cents(textAt(root, 'Fa/P_15'))) faults.push(`P_13 + P_14 = ${total}, P_15 = ${textAt(root, 'Fa/P_15')}`)
  const lines = sum(
    ['P_11', 'P_11Vat'].flatMap((name) => all(root, `Fa/FaWiersz/${name}`).map(({ text }) => cents(text))),
  )
  if (lines !== total) faults.push(`FaWiersz: ${lines}`)
  return faults
}

/** What EN 16931 asks about, by whatever syntax it is said. Amounts in cents. */
export type Semantics = {
  profile: string | undefined
  number: string | undefined
  issued: string | undefined
  type: string | undefined
  currency: string | undefined
  sellerName: string | undefined
  buyerName: string | undefined
  sellerCountry: string | undefined
  buyerCountry: string | undefined
  lines: { net: number; category: string | undefined; rate: string | undefined; name: string | undefined }[]
  categories: {
    base: number
    tax: number
    category: string | undefined
    rate: string | undefined
    reason: string | undefined
  }[]
  lineTotal: number
  net: number
  vat: number
  gross: number
  prepaid: number
  payable: number
}

const inCurrency = (list: Element[], currency: string | undefined) =>
  list.find(({ attributes }) => attributes['currencyID'] === currency)?.text

export function readUbl(root: Element): Semantics {
  const at = (path: string) => textAt(root, path)
  const currency = at('cbc:DocumentCurrencyCode')
  const totals = (name: string) => cents(at(`cac:LegalMonetaryTotal/cbc:${name}`))
  const party = (role: string, path: string) => at(`cac:Accounting${role}Party/cac:Party/${path}`)
  return {
    profile: at('cbc:CustomizationID'),
    number: at('cbc:ID'),
    issued: at('cbc:IssueDate'),
    type: at('cbc:InvoiceTypeCode'),
    currency,
    sellerName: party('Supplier', 'cac:PartyLegalEntity/cbc:RegistrationName'),
    buyerName: party('Customer', 'cac:PartyLegalEntity/cbc:RegistrationName'),
    sellerCountry: party('Supplier', 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
    buyerCountry: party('Customer', 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
    lines: all(root, 'cac:InvoiceLine').map((line) => ({
      net: cents(textAt(line, 'cbc:LineExtensionAmount')),
      category: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
      rate: textAt(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'),
      name: textAt(line, 'cac:Item/cbc:Name'),
    })),
    categories: all(root, 'cac:TaxTotal/cac:TaxSubtotal').map((one) => ({
      base: cents(textAt(one, 'cbc:TaxableAmount')),
      tax: cents(textAt(one, 'cbc:TaxAmount')),
      category: textAt(one, 'cac:TaxCategory/cbc:ID'),
      rate: textAt(one, 'cac:TaxCategory/cbc:Percent'),
      reason: textAt(one, 'cac:TaxCategory/cbc:TaxExemptionReason'),
    })),
    lineTotal: totals('LineExtensionAmount'),
    net: totals('TaxExclusiveAmount'),
    vat: cents(inCurrency(all(root, 'cac:TaxTotal/cbc:TaxAmount'), currency)),
    gross: totals('TaxInclusiveAmount'),
    prepaid: totals('PrepaidAmount'),
    payable: totals('PayableAmount'),
  }
}

export function readCii(root: Element): Semantics {
  const trade = 'rsm:SupplyChainTradeTransaction'
  const settled = `${trade}/ram:ApplicableHeaderTradeSettlement`
  const at = (path: string) => textAt(root, path)
  const currency = at(`${settled}/ram:InvoiceCurrencyCode`)
  const sums = `${settled}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
  const totals = (name: string) => cents(at(`${sums}/ram:${name}`))
  const party = (role: string, path: string) =>
    at(`${trade}/ram:ApplicableHeaderTradeAgreement/ram:${role}TradeParty/${path}`)
  const date = at('rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString')
  const taxed = (one: Element) => ({
    category: textAt(one, 'ram:CategoryCode'),
    rate: textAt(one, 'ram:RateApplicablePercent'),
  })
  return {
    profile: at('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    number: at('rsm:ExchangedDocument/ram:ID'),
    issued: date?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    type: at('rsm:ExchangedDocument/ram:TypeCode'),
    currency,
    sellerName: party('Seller', 'ram:Name'),
    buyerName: party('Buyer', 'ram:Name'),
    sellerCountry: party('Seller', 'ram:PostalTradeAddress/ram:CountryID'),
    buyerCountry: party('Buyer', 'ram:PostalTradeAddress/ram:CountryID'),
    lines: all(root, `${trade}/ram:IncludedSupplyChainTradeLineItem`).map((line) => ({
      net: cents(
        textAt(
          line,
          'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
        ),
      ),
      ...taxed(all(line, 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax')[0] as Element),
      name: textAt(line, 'ram:SpecifiedTradeProduct/ram:Name'),
    })),
    categories: all(root, `${settled}/ram:ApplicableTradeTax`).map((one) => ({
      base: cents(textAt(one, 'ram:BasisAmount')),
      tax: cents(textAt(one, 'ram:CalculatedAmount')),
      ...taxed(one),
      reason: textAt(one, 'ram:ExemptionReason'),
    })),
    lineTotal: totals('LineTotalAmount'),
    net: totals('TaxBasisTotalAmount'),
    vat: cents(inCurrency(all(root, `${sums}/ram:TaxTotalAmount`), currency)),
    gross: totals('GrandTotalAmount'),
    prepaid: totals('TotalPrepaidAmount'),
    payable: totals('DuePayableAmount'),
  }
}

/** @returns rules of EN 16931 that are broken; none is. */
export function findBrokenRules(one: Semantics): string[] {
  const { lines, categories } = one
  const ofCategory = ({ category, rate }: { category: string | undefined; rate: string | undefined }) =>
    `${category} ${Number(rate ?? 0)}`
  const needsNoRate = (category: string | undefined) => category === 'O'
  const rules: [name: string, holds: boolean][] = [
    ['BR-01', one.profile === 'urn:cen.eu:en16931:2017'],
    ['BR-02', Boolean(one.number)],
    ['BR-03', day.test(one.issued ?? '')],
    ['BR-04', one.type === '380' || one.type === '384'],
    ['BR-05', /^[A-Z]{3}$/.test(one.currency ?? '')],
    ['BR-06', Boolean(one.sellerName)],
    ['BR-07', Boolean(one.buyerName)],
    ['BR-09', /^[A-Z]{2}$/.test(one.sellerCountry ?? '')],
    ['BR-11', /^[A-Z]{2}$/.test(one.buyerCountry ?? '')],
    ['BR-16', lines.length > 0],
    ['BR-25', lines.every(({ name }) => Boolean(name))],
    ['BR-CO-04', lines.every(({ category }) => /^(S|Z|AE|O|G|E|K)$/.test(category ?? ''))],
    ['BR-CO-10', sum(lines.map(({ net }) => net)) === one.lineTotal],
    ['BR-CO-13', one.lineTotal === one.net],
    ['BR-CO-14', sum(categories.map(({ tax }) => tax)) === one.vat],
    ['BR-CO-15', one.net + one.vat === one.gross],
    ['BR-CO-16', one.gross - one.prepaid === one.payable],
    // A cent is allowed: our VAT is that of the lines, added up.
    [
      'BR-CO-17',
      categories.every(({ base, tax, rate }) => Math.abs(Math.round((base * Number(rate ?? 0)) / 100) - tax) <= 1),
    ],
    ['BR-CO-18', categories.length > 0],
    ['BR-48', categories.every(({ category, rate }) => (rate === undefined) === needsNoRate(category))],
    [
      'BR-S-08',
      categories.every(
        (group) =>
          sum(lines.filter((line) => ofCategory(line) === ofCategory(group)).map(({ net }) => net)) === group.base,
      ),
    ],
    ['BR-AE-09', categories.every(({ category, tax }) => category === 'S' || tax === 0)],
    ['BR-AE-10', categories.every(({ category, reason }) => /^(S|Z)$/.test(category ?? '') === (reason === undefined))],
  ]
  return rules.filter(([, holds]) => !holds).map(([name]) => name)
}
