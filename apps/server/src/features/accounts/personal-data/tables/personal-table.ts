/** What is said of a table with personal data, and conditions that several of them share. */
export type PersonalTable = {
  /** Which rows are the user's. */
  of: string
  export:
    | {
        about: string
        columns: readonly string[]
        without?: readonly string[]
        /** What stands in a column instead of the whole of it. */
        values?: Readonly<Record<string, string>>
      }
    | { not: string }
  deletion:
    | { how: 'deleted'; unless?: string; why?: string }
    | { how: 'anonymised'; set: Readonly<Record<string, string>>; of?: string; why: string }
    | { how: 'kept' | 'anonymised elsewhere'; why: string }
}

export const own = 'user_id = $1'
export const ownServers = '(select id from servers where owner_id = $1)'
export const ownWalletAccounts = '(select ledger_account_id from wallets where user_id = $1)'
export const ownTickets = '(select id from support_tickets where user_id = $1)'
export const ownSubscription =
  '(select id from newsletter_subscriptions where lower(email) = (select lower(email) from users where id = $1 and email_verified is not null))'
export const books = 'Books of account are kept as long as tax law says; nobody is named in them.'
export const secret = 'Secrets that open the account; of no use to its owner.'
export const deleted = { how: 'deleted' } as const
