/** Names of websites: the same rules as for addresses of servers. */
import { DomainError } from '@wakestone/contract/errors'
import { isReservedSubdomain } from '@wakestone/contract/validation'
import type { Handle, Transaction } from '#src/db/client.ts'
import { isNameTaken, takeName } from './repo.ts'

/** @throws DomainError `domain_reserved`; `resource_already_exists` when somebody has it, or had it until lately. */
export async function requireFreeName(db: Handle, name: string, userId: string): Promise<void> {
  requireAllowedName(name)
  if (await isNameTaken(db, name, userId)) throw taken()
}

/** @throws DomainError as above. */
export async function giveName(
  trx: Transaction,
  given: { name: string; userId: string; websiteId: string },
): Promise<void> {
  requireAllowedName(given.name)
  if (!(await takeName(trx, given))) throw taken()
}

function requireAllowedName(name: string): void {
  if (isReservedSubdomain(name)) throw new DomainError('domain_reserved', { resource: 'domain' })
}
const taken = () => new DomainError('resource_already_exists', { resource: 'domain' })
