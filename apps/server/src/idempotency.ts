/** An `Idempotency-Key` names one request: the same key with another request is a mistake of its sender. */
import { createHash } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'

/** What a request is kept as, beside its key. @param request what it asks for, as JSON. */
export const hashRequest = (request: unknown): Buffer => createHash('sha256').update(JSON.stringify(request)).digest()

/** @throws DomainError `idempotency_key_reused` when the key was used for another request. */
export function requireSameRequest(known: Buffer | null | undefined, given: Buffer): void {
  if (known?.equals(given) !== true) throw new DomainError('idempotency_key_reused')
}
