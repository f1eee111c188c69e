/** Which part of the form an answer of the API is about, so that it is said there. */
import { ApiError } from '@wakestone/contract/client'

export type FormPart = 'plan' | 'name' | 'subdomain' | 'cluster' | 'engine' | 'wallet' | 'immediate' | 'whole'

const byCode: Record<string, FormPart> = {
  domain_reserved: 'subdomain',
  domain_invalid_subdomain: 'subdomain',
  too_many_free_domains: 'subdomain',
  cluster_not_found: 'cluster',
  cluster_is_disabled: 'cluster',
  engine_version_not_found: 'engine',
  engine_catalogue_unavailable: 'engine',
  game_setup_is_invalid: 'engine',
  product_not_found: 'plan',
  product_not_available: 'plan',
  free_servers_not_available: 'plan',
  user_already_has_free_server: 'plan',
  no_price_for_parameters: 'plan',
  product_has_no_price_for_selected_currency: 'wallet',
  wallet_not_found: 'wallet',
  wallet_has_other_currency: 'wallet',
  wallet_has_not_funds: 'wallet',
}
const byField: Record<string, FormPart> = {
  name: 'name',
  subdomain: 'subdomain',
  cluster_id: 'cluster',
  engine: 'engine',
  engine_version: 'engine',
  requested_billing_services: 'plan',
  billing_period: 'plan',
  currency: 'wallet',
  wallet_id: 'wallet',
  immediate: 'immediate',
}

export function placeError(error: unknown): FormPart {
  if (!(error instanceof ApiError)) return 'whole'
  const { error: code, fields } = error.body
  if (code === 'resource_already_exists') return fields?.['resource'] === 'name' ? 'name' : 'subdomain'
  if (code === 'invalid_request') {
    const named = Object.keys(fields ?? {}).map((path) => byField[path.split('.')[0] ?? ''])
    return named.find((part) => part !== undefined) ?? 'whole'
  }
  return byCode[code] ?? 'whole'
}
