/** What an administrator has filled in, and the vouchers that it asks for. One effect at a time; the API takes more. */
import { generateVouchersBody } from '@wakestone/contract/sales/voucher'
import { csvLine } from '@wakestone/kit/csv'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import { currencyDigits } from '#app/i18n/format.ts'

export const effectKinds = ['add_hours', 'wallet_tx', 'new_server', 'new_cost', 'coupon', 'add_product'] as const
export type EffectKind = (typeof effectKinds)[number]

/** Money goes into a wallet: no plan, period, place or engine is looked at. */
export const isOnService = (effect: EffectKind): boolean => effect !== 'wallet_tx'

export type VoucherDraft = {
  effect: EffectKind
  hours: string
  amount: string
  currency: string
  addOn: string
  couponName: string
  expression: string
  couponHours: string
  couponUses: string
  quantity: string
  prefix: string
  group: string
  uses: string
  perUser: string
  /** A calendar day; empty: as long as usual. */
  expires: string
  products: string[]
  periods: string[]
  clusters: string[]
  engines: string[]
  comment: string
}

export const emptyDraft: VoucherDraft = {
  effect: 'add_hours',
  hours: '24',
  amount: '',
  currency: 'PLN',
  addOn: '',
  couponName: '',
  expression: '',
  couponHours: '',
  couponUses: '1',
  quantity: '1',
  prefix: '',
  group: '',
  uses: '1',
  perUser: '1',
  expires: '',
  products: [],
  periods: [],
  clusters: [],
  engines: [],
  comment: '',
}

type Body = (typeof generateVouchersBody)['_zod']['input']
export type ReadDraft =
  | { body: ReturnType<typeof generateVouchersBody.parse>; faults: null }
  | { body: null; faults: Record<string, string> }

const whole = (typed: string) => (/^\d{1,7}$/.test(typed.trim()) ? Number(typed) : Number.NaN)

function effectOf(draft: VoucherDraft): Partial<Body['data']> {
  const money = [
    {
      amount: parseAmount(draft.amount, currencyDigits(draft.currency)) ?? Number.NaN,
      currency: draft.currency as 'PLN',
    },
  ]
  switch (draft.effect) {
    case 'add_hours':
      return { add_hours: whole(draft.hours) }
    case 'new_server':
      return { add_hours: whole(draft.hours), new_server: true }
    case 'wallet_tx':
      return { wallet_tx: money }
    case 'new_cost':
      return { new_cost: money }
    case 'add_product':
      return { add_product: draft.addOn }
    case 'coupon':
      return {
        coupon: {
          name: draft.couponName,
          expression: draft.expression.trim() === '' ? null : draft.expression,
          add_hours_on_renewal: draft.couponHours.trim() === '' ? 0 : whole(draft.couponHours),
          uses_left: draft.couponUses.trim() === '' ? null : whole(draft.couponUses),
        },
      }
  }
}

/** What a service must be like; what was chosen before the effect was changed to money does not count. */
function limitsOf({ effect, products, periods, clusters, engines }: VoucherDraft): Partial<Body['data']> {
  if (!isOnService(effect)) return {}
  return {
    product_id: products,
    billing_period: periods as ['720h'],
    cluster_id: clusters,
    user_parameters: engines.length === 0 ? {} : { engine: engines as ['paper'] },
  }
}

/** The call that a draft makes, or what is wrong with it: reasons by the dotted path of the call. */
export function readDraft(draft: VoucherDraft): ReadDraft {
  const body = {
    quantity: whole(draft.quantity),
    prefix: draft.prefix,
    group_id: draft.group.trim() === '' ? null : draft.group,
    uses_left: whole(draft.uses),
    per_user: whole(draft.perUser),
    ...(draft.expires !== '' && { expires: `${draft.expires}T23:59:59Z` }),
    data: {
      ...limitsOf(draft),
      comment: draft.comment,
      ...effectOf(draft),
    },
  } satisfies Body
  const read = generateVouchersBody.safeParse(body)
  if (read.success) return { body: read.data, faults: null }
  return {
    body: null,
    faults: Object.fromEntries(read.error.issues.map(({ path, message }) => faultAt(path.join('.'), message))),
  }
}

/** An amount that is missing or nothing says what to type, where it is typed. */
function faultAt(path: string, message: string): [path: string, reason: string] {
  if (path === 'data.wallet_tx') return ['data.wallet_tx.0.amount', 'amount']
  return [path, path.endsWith('.amount') ? 'amount' : message]
}

/** One line for each code, for a spreadsheet. */
export function toCsv(
  vouchers: readonly { code: string; group_id: string | null; uses: number; expires: string }[],
): string {
  const rows = vouchers.map(({ code, group_id, uses, expires }) => csvLine([code, group_id ?? '', uses, expires]))
  return [csvLine(['code', 'group', 'uses', 'expires']), ...rows].join('')
}
