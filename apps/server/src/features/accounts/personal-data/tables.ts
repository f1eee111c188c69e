/**
 * Where personal data is kept, table by table: what a user gets a copy of, and what becomes of it when the account ends.
 * A test fails for a table, or a column of it, that is not named here. Conditions and values are SQL; `$1` is the user.
 */
import { accounts } from './tables/accounts.ts'
import { factors } from './tables/factors.ts'
import { invitations } from './tables/invitations.ts'
import { marketplace } from './tables/marketplace.ts'
import { messages } from './tables/messages.ts'
import { money } from './tables/money.ts'
import { servers } from './tables/servers.ts'
import { shop } from './tables/shop.ts'
import { services } from './tables/services.ts'
import { support } from './tables/support.ts'
import { websites } from './tables/websites.ts'
import type { PersonalTable } from './tables/personal-table.ts'

/** In this order they are exported; what refers to others stands after them, and is erased before. */
export const personalTables: Readonly<Record<string, PersonalTable>> = {
  ...accounts,
  ...invitations,
  ...factors,
  ...messages,
  ...money,
  ...services,
  ...servers,
  ...marketplace,
  ...websites,
  ...shop,
  ...support,
}
