import { listProducts } from '@wakestone/contract/sales/billings-routes'
import type { ApiClient } from '@wakestone/contract/client'

/** What is on sale; null when it cannot be told. A visitor without prices still learns what this is. */
export function loadOffers(api: ApiClient) {
  return api(listProducts, {}).catch(() => null)
}
