/** What is chosen of an item stands in the page's address: it can be shared, and needs no scripts. */
import type { ErrorBody } from '@wakestone/contract/errors'
import type { z } from 'zod'
import type { PublicItem, shopQuoteBody } from '@wakestone/contract/sales/shop'

export type Choice = z.input<typeof shopQuoteBody>

const text = (form: URLSearchParams | FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** @returns null where nothing is chosen yet. */
export function readChoice(
  form: URLSearchParams | FormData,
  item: Pick<PublicItem, 'id' | 'variables'>,
): Choice | null {
  const player = text(form, 'player')
  if (player === '') return null
  return {
    item_id: item.id,
    player,
    giver: text(form, 'giver'),
    quantity: text(form, 'quantity') || '1',
    coupon: text(form, 'coupon'),
    chosen: Object.fromEntries(item.variables.map(({ name }) => [name, text(form, `v_${name}`)])),
  }
}

/** Where the page goes on once something is chosen: a browser goes there by itself, with scripts and without. */
export const orderAnchor = 'order'

/** Why a choice cannot be ordered, and where it stands in the form if it is one field's fault. */
export type Refusal = { code: ErrorBody['error']; reason?: string; field?: string }

const fieldOfCode: Partial<Record<ErrorBody['error'], string>> = {
  shop_player_unknown: 'player',
  shop_item_sold_out: 'quantity',
  shop_gift_refused: 'giver',
  shop_coupon_invalid: 'coupon',
}
const inputOf = (path: string) => path.replace(/^chosen\./, 'v_')

export function refusalOf({ error: code, fields = {} }: Pick<ErrorBody, 'error' | 'fields'>): Refusal {
  const [path, reason] = Object.entries(fields)[0] ?? []
  const isOfField = code === 'invalid_request' && path !== undefined
  const field = isOfField ? inputOf(path) : fieldOfCode[code]
  return { code, ...(isOfField && typeof reason === 'string' && { reason }), ...(field !== undefined && { field }) }
}

/** What the form itself should not have let through. */
export const refusalOfIssue = (issue: { path: readonly PropertyKey[]; message: string } | undefined): Refusal =>
  refusalOf({
    error: 'invalid_request',
    ...(issue && { fields: { [issue.path.map(String).join('.')]: issue.message } }),
  })
