import type { Cost } from '@wakestone/contract/sales/product'
import { useFormat } from '#app/i18n/use-format.ts'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { useProductName } from './use-product-name.ts'

/** What a renewal is made of, line by line; nothing where it is the plan alone. */
export function CostLines({ cost: { positions = [] } }: { cost: Cost }) {
  const format = useFormat()
  const nameOf = useProductName()
  if (positions.length < 2) return null
  return (
    <KeyValueList
      rows={positions.map(({ product, gross_price }) => ({ key: nameOf(product), value: format.money(gross_price) }))}
    />
  )
}
