import type { OwnedKind } from '@wakestone/contract/route'
import type { ErrorCode, ResourceKind } from '@wakestone/contract/errors'
import type { Handle } from '#src/db/client.ts'

/** What a feature says of its things that belong to somebody: whose one is, and what others are told of it. */
export type OwnerCheck = {
  findOwner: (db: Handle, id: string) => Promise<string | undefined>
  /** Others than the owner do not learn whether there is one. */
  notFound: { code: ErrorCode; resource: ResourceKind }
}
/** One for each kind of access that asks for an owner. */
export type OwnerChecks = Record<OwnedKind, OwnerCheck>
