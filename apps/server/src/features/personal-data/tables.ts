/**
 * Where personal data is kept, table by table: what a user gets a copy of, and what becomes of it when the account ends.
 * A test fails for a table, or a column of it, that is not named here. Conditions and values are SQL; `$1` is the user.
 */
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

const own = 'user_id = $1'
const ownServers = '(select id from servers where owner_id = $1)'
const ownWalletAccounts = '(select ledger_account_id from wallets where user_id = $1)'
const ownTickets = '(select id from support_tickets where user_id = $1)'
const ownSubscription =
  '(select id from newsletter_subscriptions where lower(email) = (select lower(email) from users where id = $1 and email_verified is not null))'
const books = 'Books of account are kept as long as tax law says; nobody is named in them.'
const secret = 'Secrets that open the account; of no use to its owner.'
const deleted = { how: 'deleted' } as const

/** In this order they are exported; what refers to others stands after them, and is erased before. */
export const personalTables: Readonly<Record<string, PersonalTable>> = {
  users: {
    of: 'id = $1',
    export: {
      about: 'The account.',
      columns: [
        'id',
        'username',
        'email',
        'language',
        'country_code',
        'created_at',
        'email_verified',
        'accepted_tos',
        'newsletter',
        'username_changed_at',
        'destroy_at',
        'destroyed_at',
        'suspended_at',
        'suspended_reason',
      ],
      without: ['password_hash', 'suspended_by'],
    },
    deletion: {
      how: 'anonymised',
      set: {
        username: `'deleted_' || right(replace(id::text, '-', ''), 16)`,
        email: `'deleted_' || right(replace(id::text, '-', ''), 16) || '@deleted.invalid'`,
        password_hash: 'null',
        email_verified: 'null',
        newsletter: 'null',
        suspended_at: 'null',
        suspended_reason: 'null',
        suspended_by: 'null',
      },
      why: 'Postings, payments and the audit log refer to it.',
    },
  },
  user_capabilities: {
    of: own,
    export: {
      about: 'What the account may do, on everything or on one thing.',
      columns: ['resource_type', 'resource_id', 'name', 'value'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  user_capability_sets: {
    of: own,
    export: {
      about: 'Sets of capabilities that the account holds.',
      columns: ['set_id', 'given_at'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  api_keys: {
    of: own,
    export: {
      about: 'Keys with which programs act for the account.',
      columns: [
        'id',
        'name',
        'hint',
        'scopes',
        'address_ranges',
        'expires_at',
        'created_at',
        'last_used_at',
        'last_used_ip',
      ],
      without: ['user_id', 'key_hash'],
    },
    deletion: deleted,
  },
  sessions: {
    of: `${own} and actor_id is null`,
    export: {
      about: 'Devices that were signed in.',
      columns: ['id', 'created_at', 'rotated_at', 'expires_at', 'ended_at', 'proven_at', 'ip', 'user_agent'],
      without: ['user_id', 'refresh_hash', 'previous_hash', 'actor_id', 'actor_session_id'],
    },
    deletion: {
      how: 'anonymised',
      // Also those in which an administrator looked at the account, or this one at others.
      of: `${own} or actor_id = $1`,
      set: { ip: 'null', user_agent: 'null' },
      why: 'That they ended must stay known, so that no token of theirs opens anything.',
    },
  },
  known_devices: {
    of: own,
    export: {
      about: 'Browsers that have signed in before.',
      columns: ['first_seen', 'last_seen'],
      without: ['user_id', 'device_hash'],
    },
    deletion: deleted,
  },
  socials: {
    of: own,
    export: {
      about: 'Accounts elsewhere that sign in here.',
      columns: ['id', 'source', 'external_id', 'details', 'created_at', 'updated_at', 'destroyed_at'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  discord_attempts: { of: own, export: { not: secret }, deletion: deleted },
  referral_codes: {
    of: own,
    export: {
      about: 'Codes by which others were invited.',
      columns: ['id', 'code', 'created_at'],
      without: ['user_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { code: `'deleted-' || id` },
      why: 'Who came by it goes on to count; the word itself may name a person.',
    },
  },
  referrals: {
    of: own,
    export: {
      about: 'That somebody’s invitation led here. Whose is not told: that is others’ data.',
      columns: ['code_id', 'programme', 'created_at'],
      without: ['user_id', 'referrer_id'],
    },
    deletion: { how: 'kept', why: 'Rewards of others are counted from it; it names nobody.' },
  },
  referral_reviews: {
    of: own,
    export: {
      about: 'That an invitation was looked at by hand, and what came of it.',
      columns: ['noted_at', 'state', 'decided_at'],
      without: ['user_id', 'signs', 'decided_by'],
    },
    deletion: { how: 'kept', why: 'Whether rewards stand follows from it; it names nobody.' },
  },
  referral_rewards: {
    of: own,
    export: {
      about: 'Hours that invitations have earned. For whose coming is not told: that is others’ data.',
      columns: ['id', 'kind', 'hours', 'at', 'reversed_at'],
      without: ['user_id', 'invited_id', 'transaction_id'],
    },
    deletion: { how: 'kept', why: 'Rewards are given once; it names nobody.' },
  },
  affiliates: {
    of: own,
    export: {
      about: 'Taking part in the affiliate programme.',
      columns: ['state', 'website', 'about', 'applied_at', 'decided_at'],
      without: ['user_id', 'decided_by'],
    },
    deletion: {
      how: 'anonymised',
      set: { website: `''`, about: `''`, state: `'suspended'`, decided_at: 'now()' },
      why: 'Commission that was booked refers to it.',
    },
  },
  affiliate_commissions: {
    of: 'affiliate_id = $1',
    export: {
      about: 'Shares in top-ups of those who came by your link. Whose is not told: that is others’ data.',
      columns: ['id', 'currency', 'amount', 'percent', 'paid_at', 'due_at', 'released_at'],
      without: ['affiliate_id', 'invited_id', 'transaction_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  affiliate_balances: {
    of: own,
    export: { about: 'Shares that are to be made up for.', columns: ['currency', 'owed'], without: ['user_id'] },
    deletion: { how: 'kept', why: books },
  },
  affiliate_clicks: {
    of: own,
    export: { about: 'Visits by your link.', columns: ['day', 'clicks'], without: ['user_id'] },
    deletion: deleted,
  },
  free_server_queue: {
    of: own,
    export: { about: 'The place in the queue for a free server.', columns: ['joined_at'], without: ['user_id'] },
    deletion: deleted,
  },
  totp_secrets: {
    of: own,
    export: {
      about: 'Codes of an app as the second step of signing in.',
      columns: ['created_at', 'confirmed_at', 'last_used_at'],
      without: ['user_id', 'sealed', 'last_step'],
    },
    deletion: deleted,
  },
  recovery_codes: { of: own, export: { not: secret }, deletion: deleted },
  passkeys: {
    of: own,
    export: {
      about: 'Passkeys.',
      columns: ['id', 'name', 'transports', 'is_backed_up', 'created_at', 'last_used_at'],
      without: ['user_id', 'credential_id', 'public_key', 'counter'],
    },
    deletion: deleted,
  },
  login_challenges: { of: own, export: { not: secret }, deletion: deleted },
  mail_codes: { of: own, export: { not: secret }, deletion: deleted },
  mail_digits: {
    of: `${own} or email = (select lower(email) from users where id = $1)`,
    export: { not: secret },
    deletion: deleted,
  },
  login_failures: {
    // 'account:<login>', '<device>:<login>', 'own:<id>'
    of: `subject = 'own:' || (select id from users where id = $1) or exists (select from users, unnest(array[email, username]) as login where id = $1 and right(subject, length(login) + 1) = ':' || lower(login))`,
    export: { not: 'Of whoever guessed, not of the owner; gone within a day.' },
    deletion: deleted,
  },
  request_limits: {
    of: `subject like '%:' || (select lower(email) from users where id = $1)`,
    export: { not: 'Counters that run out within the hour.' },
    deletion: deleted,
  },
  consents: {
    of: own,
    export: {
      about: 'What was agreed to, in which version of the words, when and how.',
      columns: ['id', 'subject', 'action', 'version', 'source', 'details', 'address', 'at'],
      without: ['user_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { address: 'null' },
      why: 'Evidence that there was consent (GDPR, article 7), without a name and an address.',
    },
  },
  newsletter_subscriptions: {
    of: `id in ${ownSubscription}`,
    export: {
      about: 'The newsletter of this address.',
      columns: ['id', 'email', 'language', 'requested_at', 'confirmed_at', 'withdrawn_at', 'created_at'],
      without: ['request_id'],
    },
    deletion: deleted,
  },
  newsletter_consents: {
    of: `subscription_id in ${ownSubscription}`,
    export: {
      about: 'Every step of that newsletter: asked for, confirmed, ended.',
      columns: ['id', 'subscription_id', 'action', 'source', 'terms_version', 'address', 'at'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  tax_id_checks: {
    of: own,
    export: {
      about: 'Questions to the EU’s register about the VAT id, with its answers.',
      columns: ['id', 'tax_id', 'state', 'asked_at', 'checked_at', 'consultation_number', 'last_error', 'rechecks'],
      without: ['user_id'],
    },
    deletion: {
      how: 'deleted',
      unless: `exists (select from tax_data where user_id = $1)`,
      why: 'Evidence for invoices without VAT.',
    },
  },
  tax_data: {
    of: own,
    export: {
      about: 'What invoices say of the buyer, in every version.',
      columns: [
        'id',
        'kind',
        'name',
        'short_name',
        'nip',
        'tax_id',
        'check_id',
        'address',
        'postal_code',
        'city',
        'country',
        'language',
        'created_at',
        'replaced_at',
      ],
      without: ['user_id'],
    },
    deletion: {
      how: 'deleted',
      unless: `exists (select from transactions where user_id = $1 and status = 'COMPLETED' and amount > 0)`,
      why: 'Of those who paid: tax law wants the buyer of each invoice kept.',
    },
  },
  data_exports: {
    of: own,
    export: {
      about: 'Copies of data like this one.',
      columns: ['id', 'state', 'created_at', 'ready_at', 'expires_at', 'bytes'],
      without: ['user_id', 'link_hash', 'link_expires'],
    },
    deletion: deleted,
  },
  flags: {
    of: 'updated_by = $1',
    export: { not: 'Settings of the product; that an administrator changed them is in their events.' },
    deletion: { how: 'kept', why: 'Settings of the product. Who changed them names nobody any more.' },
  },
  notifications: {
    of: own,
    export: {
      about: 'What we told you.',
      columns: [
        'id',
        'kind',
        'fields',
        'resource_type',
        'resource_id',
        'event_id',
        'actions',
        'action_expires',
        'created_at',
        'opened_at',
        'opened_from',
      ],
      without: ['user_id', 'version', 'dedupe_key', 'in_panel'],
    },
    deletion: deleted,
  },
  notification_choices: {
    of: own,
    export: {
      about: 'By which ways you want to be told of what.',
      columns: ['kind', 'channel', 'wanted'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  notification_webhooks: {
    of: own,
    export: { about: 'Your Discord webhook.', columns: ['created_at', 'last_error'], without: ['user_id', 'url'] },
    deletion: deleted,
  },
  push_subscriptions: {
    of: own,
    export: {
      about: 'Browsers that are told by push.',
      columns: ['id', 'created_at'],
      without: ['user_id', 'session_id', 'endpoint', 'p256dh', 'auth'],
    },
    deletion: deleted,
  },
  notification_deliveries: {
    of: `notification_id in (select id from notifications where ${own})`,
    export: {
      about: 'How each of them was sent.',
      columns: ['notification_id', 'channel', 'mail_to', 'state', 'finished_at'],
      without: ['id', 'subscription_id', 'secret', 'tries', 'next_at', 'last_error'],
    },
    deletion: deleted,
  },
  wallets: {
    of: own,
    export: {
      about: 'Wallets.',
      columns: ['id', 'currency', 'details', 'created_at', 'ledger_account_id'],
      without: ['user_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  ledger_accounts: {
    of: `id in ${ownWalletAccounts}`,
    export: {
      about: 'Balances of the wallets, in minor units.',
      columns: ['id', 'currency', 'posted', 'held'],
      without: ['code', 'tracked', 'floor', 'version'],
    },
    deletion: { how: 'kept', why: books },
  },
  ledger_entries: {
    of: `account_id in ${ownWalletAccounts}`,
    export: {
      about: 'Every movement of the wallets, in minor units, with the balance after it.',
      columns: ['id', 'transaction_id', 'account_id', 'currency', 'amount', 'balance_after', 'account_version'],
    },
    deletion: { how: 'kept', why: books },
  },
  ledger_holds: {
    of: `account_id in ${ownWalletAccounts}`,
    export: {
      about: 'Amounts that are or were set aside.',
      columns: ['id', 'account_id', 'amount', 'state', 'created_at', 'expires_at', 'transaction_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  ledger_transactions: {
    of: `id in (select transaction_id from ledger_entries where account_id in ${ownWalletAccounts})`,
    export: {
      about: 'The postings that those movements belong to.',
      columns: ['id', 'kind', 'reverses', 'at'],
      without: ['scope', 'key', 'request_hash', 'meta'],
    },
    deletion: { how: 'kept', why: books },
  },
  transactions: {
    of: own,
    export: {
      about: 'Payments and purchases.',
      columns: [
        'id',
        'wallet_id',
        'currency',
        'status',
        'action',
        'provider',
        'amount',
        'country_code',
        'vat_rate',
        'positions',
        'invoice_id',
        'details',
        'language',
        'payer_ip',
        'ledger_transaction_id',
        'created_at',
        'updated_at',
      ],
      without: ['user_id', 'failure', 'idempotency_key', 'request_hash'],
    },
    deletion: {
      how: 'kept',
      why: 'Tax law. The address a payment came from is evidence of the buyer’s country, which its VAT follows.',
    },
  },
  documents: {
    of: own,
    export: {
      about: 'Invoices, receipts and credit notes.',
      columns: [
        'id',
        'invoice_id',
        'kind',
        'year',
        'number',
        'label',
        'transaction_id',
        'corrects',
        'issued_at',
        'issued_on',
        'sold_on',
        'currency',
        'net',
        'vat',
        'gross',
        'home_currency',
        'vat_home',
        'country_code',
        'treatment',
        'buyer_name',
        'language',
        'place_contradicts',
        'snapshot',
      ],
      without: ['user_id'],
    },
    deletion: { how: 'kept', why: 'Tax law wants documents of sale kept as they were issued.' },
  },
  documents_due: {
    of: `transaction_id in (select id from transactions where ${own})`,
    export: { not: 'Purchases whose document is being made; they are among the transactions.' },
    deletion: { how: 'kept', why: books },
  },
  e_invoices: {
    of: `document_id in (select id from documents where ${own})`,
    export: {
      about: 'Documents as Poland’s register of invoices takes them, and its confirmations.',
      columns: ['document_id', 'xml', 'state', 'ksef_number', 'upo', 'updated_at'],
      without: ['tries', 'next_at', 'session_reference', 'invoice_reference', 'last_error'],
    },
    deletion: { how: 'kept', why: 'Tax law wants documents of sale kept as they were issued.' },
  },
  payment_orders: {
    of: `transaction_id in (select id from transactions where ${own})`,
    export: {
      about: 'What was asked of payment providers.',
      columns: ['id', 'transaction_id', 'gateway', 'gateway_order_id', 'state', 'created_at'],
      without: [
        'external_id',
        'payment_id',
        'follows',
        'by_code',
        'opened_at',
        'redirect_url',
        'lease_until',
        'next_poll_at',
        'polled_at',
        'polls',
        'ledger_transaction_id',
      ],
    },
    deletion: { how: 'kept', why: books },
  },
  reconciliation_lines: {
    of: `transaction_id in (select id from transactions where ${own})`,
    export: { not: 'How we compare our books with payment providers; the payments themselves are in the copy.' },
    deletion: { how: 'kept', why: books },
  },
  services: {
    of: 'owner_id = $1',
    export: {
      about: 'What was rented, until when and for how much.',
      columns: [
        'id',
        'product_id',
        'type',
        'wallet_id',
        'billing_period',
        'currency',
        'cost',
        'gross_cost',
        'country_code',
        'vat_rate',
        'auto_renew',
        'parent_id',
        'created_at',
        'expires',
        'immediate_consent_at',
        'ended_at',
        'cluster_id',
      ],
      without: ['owner_id', 'expiry_noted', 'auto_renew_failed_at', 'value_held', 'bill_overdue_since'],
    },
    deletion: { how: 'kept', why: books },
  },
  service_changes: {
    of: 'service_id in (select id from services where owner_id = $1)',
    export: {
      about: 'Changes of plans, and what was added to them or removed.',
      columns: [
        'id',
        'service_id',
        'kind',
        'product_before',
        'product_after',
        'add_on_id',
        'expires',
        'currency',
        'amount',
        'transaction_ids',
        'at',
      ],
      without: ['executor_id', 'key', 'request_hash'],
    },
    deletion: { how: 'kept', why: books },
  },
  scheduled_actions: {
    of: 'service_id in (select id from services where owner_id = $1)',
    export: {
      about: 'What was planned for services.',
      columns: ['id', 'service_id', 'action', 'date', 'details', 'last_run', 'done', 'deleted_at', 'created_at'],
      without: ['executor_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  affiliate_payouts: {
    of: own,
    export: {
      about: 'Shares that were moved to a wallet.',
      columns: ['id', 'wallet_id', 'currency', 'amount', 'transaction_id', 'at'],
      without: ['user_id', 'key'],
    },
    deletion: { how: 'kept', why: books },
  },
  bills: {
    of: own,
    export: {
      about: 'What was bought to be paid later.',
      columns: [
        'id',
        'wallet_id',
        'currency',
        'amount',
        'service_id',
        'purchase_id',
        'created_at',
        'due_at',
        'overdue_at',
        'paid_at',
        'payment_id',
      ],
      without: ['user_id', 'key'],
    },
    deletion: { how: 'kept', why: books },
  },
  payment_returns: {
    of: own,
    export: {
      about: 'Payments that went back, or were taken back.',
      columns: [
        'id',
        'kind',
        'state',
        'deposit_id',
        'wallet_id',
        'currency',
        'amount',
        'gateway',
        'reason',
        'transaction_id',
        'returned_transaction_id',
        'created_at',
        'finished_at',
      ],
      without: [
        'order_id',
        'user_id',
        'credit',
        'gateway_return_id',
        'happened_at',
        'asked_by',
        'idempotency_key',
        'request_hash',
        'failure',
        'attempts',
        'next_try_at',
        'sent_at',
      ],
    },
    deletion: { how: 'kept', why: books },
  },
  debts: {
    of: own,
    export: {
      about: 'What is owed for payments that were taken back.',
      columns: ['id', 'return_id', 'wallet_id', 'currency', 'amount', 'open', 'created_at', 'settled_at'],
      without: ['user_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  referral_payments: {
    of: `transaction_id in (select id from transactions where ${own})`,
    export: { not: 'Which payments the rewards of others are computed from; the payments are in `transactions`.' },
    deletion: { how: 'kept', why: books },
  },
  referral_uses: {
    of: own,
    export: {
      about: 'Hours from invitations that were put on services.',
      columns: ['id', 'service_id', 'hours', 'expires_before', 'expires_after', 'at'],
      without: ['user_id', 'key'],
    },
    deletion: { how: 'kept', why: books },
  },
  withdrawals: {
    of: own,
    export: {
      about: 'Withdrawals from contracts, declared and confirmed.',
      columns: [
        'id',
        'service_id',
        'renewal_id',
        'declared_at',
        'confirmed_at',
        'currency',
        'refund',
        'transaction_ids',
      ],
      without: ['user_id'],
    },
    deletion: { how: 'kept', why: 'Evidence of a declaration about a contract; nobody is named in it.' },
  },
  renewals: {
    of: 'service_id in (select id from services where owner_id = $1)',
    export: {
      about: 'Renewals of what was rented.',
      columns: [
        'id',
        'service_id',
        'billing_period',
        'expires_before',
        'expires_after',
        'transaction_id',
        'at',
        'immediate',
      ],
      without: ['executor_id', 'key', 'request_hash'],
    },
    deletion: { how: 'kept', why: books },
  },
  voucher_batches: {
    of: 'created_by = $1',
    export: {
      about: 'Vouchers that the account has made as an administrator.',
      columns: ['id', 'created_at', 'prefix', 'group_id', 'per_user', 'expires', 'data', 'codes', 'hours', 'value'],
      without: ['created_by'],
    },
    deletion: { how: 'kept', why: books },
  },
  vouchers: {
    of: own,
    export: {
      about: 'Codes of vouchers that were made for the account alone.',
      columns: ['id', 'batch_id', 'code', 'uses', 'uses_left', 'revoked_at'],
      without: ['user_id', 'last_use_id'],
    },
    deletion: { how: 'kept', why: books },
  },
  voucher_uses: {
    of: own,
    export: {
      about: 'Vouchers that were redeemed, and what they gave.',
      columns: ['id', 'voucher_id', 'group_id', 'ts', 'details'],
      without: ['user_id', 'key', 'request_hash'],
    },
    deletion: { how: 'kept', why: books },
  },
  service_coupons: {
    of: 'service_id in (select id from services where owner_id = $1)',
    export: {
      about: 'Coupons on what was rented.',
      columns: [
        'id',
        'service_id',
        'voucher_use_id',
        'name',
        'expression',
        'add_hours_on_renewal',
        'end_time',
        'uses_left',
        'used',
        'details',
        'created_at',
      ],
    },
    deletion: { how: 'kept', why: books },
  },
  servers: {
    of: 'owner_id = $1',
    export: {
      about: 'Servers. Who plays on them is not told: that is others’ data.',
      columns: [
        'id',
        'name',
        'service_id',
        'cluster_id',
        'language',
        'game',
        'engine',
        'engine_version',
        'limits',
        'autostart',
        'hidden',
        'disabled',
        'testing',
        'sponsored',
        'created_at',
        'deleted_at',
        'cleanup_date',
        'files_deleted_at',
        'volume_removed_at',
        'last_used_at',
        'launched_at',
        'crashed',
        'exit_at',
        'exit_code',
      ],
      without: [
        'owner_id',
        'player_names',
        'players_max',
        'players_online',
        'exit_expected',
        'exit_signal',
        'game_port',
        'installed_plan',
        'phase',
        'phase_since',
        'placed_at',
        'placed_limits',
        'plan_hash',
        'pod_image',
        'preparation_error',
        'preparation_item',
        'preparation_phase',
        'preparation_progress',
        'prepared_at',
        'restarts_done',
        'restarts_wanted',
        'retry_at',
        'stop_timeout',
        'supervisor_seq',
        'supervisor_version',
        'told',
        'told_seq',
        'want_running',
      ],
    },
    deletion: { how: 'kept', why: 'Stopped with the account; volumes are removed by billing’s own rules.' },
  },
  server_invitations: {
    of: `invited_by = $1 or ${own} or email = (select lower(email) from users where id = $1)`,
    export: {
      about: 'Invitations to share a server, sent and received. Who the others are is not told: that is others’ data.',
      columns: ['id', 'server_id', 'capabilities', 'created_at', 'expires_at', 'answered_at', 'answer'],
      without: ['invited_by', 'user_id', 'email', 'language'],
    },
    deletion: deleted,
  },
  server_play: {
    of: `server_id in ${ownServers}`,
    export: {
      about: 'How long servers were played on. Who plays is not told: that is others’ data.',
      columns: ['server_id', 'seconds', 'since'],
      without: ['names'],
    },
    deletion: { how: 'kept', why: 'Names nobody once its players have left.' },
  },
  server_plans: {
    of: `server_id in ${ownServers}`,
    export: { not: 'How a server is installed: made from its choices, which are in `servers`.' },
    deletion: { how: 'kept', why: 'Names nobody; goes with the server.' },
  },
  domains: {
    of: own,
    export: {
      about: 'Addresses of servers.',
      columns: [
        'id',
        'server_id',
        'kind',
        'fqdn',
        'sub_domain',
        'zone_name',
        'created_at',
        'updated_at',
        'expires',
        'reserved_until',
      ],
      without: ['user_id'],
    },
    deletion: { how: 'kept', why: 'Goes with the server; a released name stays reserved.' },
  },
  purchase_keys: {
    of: own,
    export: { not: 'Keys by which a purchase that is sent twice is made once.' },
    deletion: deleted,
  },
  support_tickets: {
    of: own,
    export: {
      about: 'Tickets.',
      columns: ['id', 'number', 'email', 'language', 'topic', 'subject', 'status', 'created_at', 'updated_at'],
      without: ['user_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { email: `'deleted@deleted.invalid'` },
      why: 'Claims and complaints can be raised for years.',
    },
  },
  support_messages: {
    of: `ticket_id in ${ownTickets}`,
    export: {
      about: 'What was written in them.',
      columns: ['id', 'ticket_id', 'author', 'body', 'created_at'],
      without: ['author_id'],
    },
    deletion: { how: 'kept', why: 'Claims and complaints can be raised for years.' },
  },
  audit_events: {
    of: `resource_id = $1 or resource_id in ${ownServers}`,
    export: {
      about: 'What happened to the account and to its servers.',
      columns: ['id', 'level', 'resource_id', 'resource_type', 'created_at', 'action', 'success', 'data', 'error'],
      // Without the name of an administrator who acted: that is others’ data.
      values: { data: `data - 'actor'` },
    },
    deletion: {
      how: 'anonymised elsewhere',
      why: 'By features/events, which knows the details that name somebody. The log is kept for 12 months.',
    },
  },
}
