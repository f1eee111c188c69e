/** What is chosen of an item stands in the page's address: it can be shared, and needs no scripts. */
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
