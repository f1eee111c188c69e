/** Buyers of several countries, some of them companies; who moves pays what is paid there from then on. */
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import type { Command } from './command.ts'
import type { Customer } from './model.ts'
import { type Place, places, taxedAt } from './rules.ts'
import type { World } from './world.ts'

const postalCodes: Record<string, string> = { PL: '00-001', DE: '10115', CZ: '110 00', US: '10001' }

/** What invoices are to say of a buyer; of a company, that the EU's register knows it. */
export async function settleIn(world: World, customer: Customer, place: Place): Promise<void> {
  const country = place.slice(0, 2)
  const isCompany = place.endsWith('company')
  const address = { name: 'Jan Nowak', address: 'Ulica 1', postal_code: postalCodes[country] ?? '', city: 'Miasto' }
  const company = { kind: 'company' as const, tax_id: 'DE136695976' }
  const body = { ...address, country, language: 'en' as const, ...(isCompany ? company : { kind: 'person' as const }) }
  await customer.call(setTaxData, { params: { id: customer.userId }, body })
  if (isCompany)
    await world.client.query(
      `update tax_id_checks set state = 'valid', checked_at = clock_timestamp() where user_id = $1`,
      [customer.userId],
    )
  customer.place = taxedAt(place, customer.registered)
}

/** Nobody stops to be a company. Who becomes one pays no VAT from then on, and withdraws from nothing more. */
const move: Command = {
  name: 'move to another country',
  weight: 2,
  when: ({ customer }) => !customer.place.endsWith('company'),
  async run({ world, customer, random, note }) {
    const place = random.pick(places.filter((one) => one !== customer.place))
    note(`${customer.place} to ${place}`)
    await settleIn(world, customer, place)
  },
}

export const buyerCommands: readonly Command[] = [move]
