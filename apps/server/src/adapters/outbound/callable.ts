import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import { checkTarget } from './download.ts'
import { ForbiddenTarget } from './guarded-lookup.ts'
import { isPublicAddress } from './public-address.ts'

/**
 * For an address that a customer wants called: `postOutside` calls no other.
 * @throws DomainError `invalid_request`
 */
export function requireCallable({ ALLOW_PRIVATE_TARGETS }: Pick<Settings, 'ALLOW_PRIVATE_TARGETS'>, url: string): void {
  try {
    const { protocol } = checkTarget(url, ALLOW_PRIVATE_TARGETS ? () => true : isPublicAddress)
    if (ALLOW_PRIVATE_TARGETS || protocol === 'https:') return
  } catch (error) {
    if (!(error instanceof ForbiddenTarget)) throw error
  }
  throw new DomainError('invalid_request', { url: 'url' })
}
