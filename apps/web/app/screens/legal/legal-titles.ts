import type { LegalSlug } from '@wakestone/contract/site/document'

/** The documents in the order in which pages list them. */
export const legalTitles: readonly LegalSlug[] = [
  'terms-of-service',
  'privacy-policy',
  'terms-and-conditions',
  'store-terms',
  'newsletter-terms',
]
