/** What somebody agreed to, is told, and is invoiced as. */
import { deleted, own, ownSubscription, type PersonalTable } from './personal-table.ts'

export const messages: Readonly<Record<string, PersonalTable>> = {
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
      without: ['user_id', 'heeded_at'],
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
}
