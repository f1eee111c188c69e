/**
 * FA(3), the structured invoice of Poland's KSeF: http://crd.gov.pl/wzor/2025/06/25/13775/. Made of the snapshot alone.
 * Elements stand in the order of the schema.
 */
import { isInEu } from '@wakestone/contract/money/european-union'
import { toDecimal } from '@wakestone/kit/money'
import { gatewayOf, type Party, type Snapshot } from '../snapshot.ts'
import { reasonIn } from '../reasons.ts'
import { oneLine } from '../text.ts'
import { type Node, writeXml } from './xml.ts'

const namespace = 'http://crd.gov.pl/wzor/2025/06/25/13775/'
const [yes, no] = ['1', '2']

/** A document can be written as FA(3) when a Polish NIP issues it. */
export const sellerNip = (snapshot: Snapshot): string | undefined => /^PL(\d{10})$/.exec(snapshot.seller.vat_id)?.[1]

/**
 * @param number of the document, as printed.
 * @throws Error where the seller has no NIP.
 */
export function writeFa3(
  snapshot: Snapshot,
  { number, now, correctedKsefNumber }: { number: string; now: Date; correctedKsefNumber?: string | undefined },
): string {
  const nip = sellerNip(snapshot)
  if (nip === undefined) throw new Error('FA(3) is issued by a Polish NIP')
  return writeXml([
    'Faktura',
    { xmlns: namespace },
    [
      [
        'Naglowek',
        [
          ['KodFormularza', { kodSystemowy: 'FA (3)', wersjaSchemy: '1-0E' }, 'FA'],
          ['WariantFormularza', 3],
          ['DataWytworzeniaFa', `${now.toISOString().slice(0, 19)}Z`],
          ['SystemInfo', 'Wakestone'],
        ],
      ],
      [
        'Podmiot1',
        [
          // Named where the buyer, or the tax, is elsewhere in the EU.
          snapshot.tax.treatment === 'domestic' ? undefined : ['PrefiksPodatnika', 'PL'],
          [
            'DaneIdentyfikacyjne',
            [
              ['NIP', nip],
              ['Nazwa', oneLine(snapshot.seller.name, 512)],
            ],
          ],
          address(snapshot.seller),
        ],
      ],
      buyer(snapshot),
      ['Fa', body(snapshot, { number, correctedKsefNumber })],
    ],
  ])
}

const address = ({ country, address: street, postal_code, city }: Party): Node => [
  'Adres',
  [
    ['KodKraju', country],
    ['AdresL1', oneLine(street, 512)],
    ['AdresL2', oneLine(`${postal_code} ${city}`, 512)],
  ],
]

function buyer({ buyer: party }: Snapshot): Node {
  const closing: Node[] = [
    ['JST', no],
    ['GV', no],
  ]
  if (party.kind === 'unnamed')
    return [
      'Podmiot2',
      [
        [
          'DaneIdentyfikacyjne',
          [
            ['BrakID', yes],
            ['Nazwa', oneLine(party.name, 512)],
          ],
        ],
        ...closing,
      ],
    ]
  const prefix = party.tax_id?.slice(0, 2) ?? ''
  const identity: Node[] =
    party.nip !== null
      ? [['NIP', party.nip]]
      : party.tax_id !== null && (prefix === 'EL' || isInEu(prefix)) && prefix !== 'GR'
        ? [
            ['KodUE', prefix],
            ['NrVatUE', party.tax_id.slice(2)],
          ]
        : party.tax_id !== null
          ? [
              ['KodKraju', party.country],
              ['NrID', oneLine(party.tax_id, 50)],
            ]
          : [['BrakID', yes]]
  return [
    'Podmiot2',
    [['DaneIdentyfikacyjne', [...identity, ['Nazwa', oneLine(party.name, 512)]]], address(party), ...closing],
  ]
}

/** The fields that take net and VAT of Poland's rates; others are another country's, or none. */
const polishRates: Record<number, string> = { 23: '1', 22: '1', 8: '2', 7: '2', 5: '3' }
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const percentOf = (rate: number) => Math.round(rate * 10_000) / 100

function body(
  snapshot: Snapshot,
  { number, correctedKsefNumber }: { number: string; correctedKsefNumber: string | undefined },
): Node[] {
  const { currency, tax, totals, corrects, exchange } = snapshot
  const decimal = (amount: number) => toDecimal({ amount, currency })
  const isDomestic = tax.treatment === 'domestic' || tax.treatment === 'seller_rate'
  return [
    ['KodWaluty', currency],
    ['P_1', snapshot.issued_on],
    ['P_2', oneLine(number)],
    ['P_6', snapshot.sold_on],
    ...sums(snapshot, isDomestic),
    ['P_15', decimal(totals.gross)],
    [
      'Adnotacje',
      [
        ['P_16', no],
        ['P_17', no],
        ['P_18', tax.treatment === 'reverse_charge' ? yes : no],
        ['P_18A', no],
        ['Zwolnienie', [['P_19N', yes]]],
        ['NoweSrodkiTransportu', [['P_22N', yes]]],
        ['P_23', no],
        ['PMarzy', [['P_PMarzyN', yes]]],
      ],
    ],
    ['RodzajFaktury', snapshot.kind === 'credit_note' ? 'KOR' : 'VAT'],
    ...(corrects === null
      ? []
      : ([
          ['PrzyczynaKorekty', capitalised(reasonIn(snapshot).pl)],
          [
            'DaneFaKorygowanej',
            [
              ['DataWystFaKorygowanej', corrects.issued_on],
              ['NrFaKorygowanej', oneLine(corrects.number)],
              ...(correctedKsefNumber === undefined
                ? ([['NrKSeFN', yes]] as Node[])
                : ([
                    ['NrKSeF', yes],
                    ['NrKSeFFaKorygowanej', correctedKsefNumber],
                  ] as Node[])),
            ],
          ],
        ] as Node[])),
    ...snapshot.lines.map((line, index): Node => [
      'FaWiersz',
      [
        ['NrWierszaFa', index + 1],
        ['P_7', oneLine(line.description.pl, 512)],
        ['P_8A', 'szt.'],
        ['P_8B', snapshot.kind === 'credit_note' ? -line.quantity : line.quantity],
        ['P_9A', decimal(Math.abs(Math.round(line.net / line.quantity)))],
        ['P_11', decimal(line.net)],
        ['P_11Vat', decimal(line.vat)],
        ...rateOf(line.rate, tax.treatment),
        exchange === null ? undefined : ['KursWaluty', exchange.rate],
      ] as Node[],
    ]),
    [
      'Platnosc',
      [
        ['Zaplacono', yes],
        ['DataZaplaty', snapshot.sold_on],
        ['PlatnoscInna', yes],
        ['OpisPlatnosci', gatewayOf(snapshot) ?? 'Portfel klienta'],
      ],
    ],
  ]
}

/** Net and VAT by where they are reported, in the order of the schema. */
function sums({ rates, tax, currency, exchange, totals }: Snapshot, isDomestic: boolean): Node[] {
  const decimal = (amount: number) => toDecimal({ amount, currency })
  if (tax.treatment === 'reverse_charge') return [['P_13_9', decimal(totals.net)]]
  if (tax.treatment === 'outside') return [['P_13_8', decimal(totals.net)]]
  if (!isDomestic)
    return [
      ['P_13_5', decimal(totals.net)],
      ['P_14_5', decimal(totals.vat)],
    ]
  return rates
    .toSorted((one, other) => other.rate - one.rate)
    .flatMap(({ rate, net, vat }): Node[] => {
      const field = polishRates[percentOf(rate)]
      if (field === undefined) return rate === 0 ? [['P_13_6_1', decimal(net)]] : []
      const home = exchange && totals.vat !== 0 ? Math.round((exchange.vat * vat) / totals.vat) : undefined
      return [
        [`P_13_${field}`, decimal(net)],
        [`P_14_${field}`, decimal(vat)],
        ...(home === undefined || exchange === null
          ? []
          : [[`P_14_${field}W`, toDecimal({ amount: home, currency: exchange.currency })] as Node]),
      ]
    })
}

function rateOf(rate: number, treatment: Snapshot['tax']['treatment']): Node[] {
  if (treatment === 'reverse_charge') return [['P_12', 'np II']]
  if (treatment === 'outside') return [['P_12', 'np I']]
  if (treatment === 'destination') return [['P_12_XII', String(percentOf(rate))]]
  return [['P_12', rate === 0 ? '0 KR' : String(percentOf(rate))]]
}
