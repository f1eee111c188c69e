/** Tickets and the audit log. */
import { deleted, own, ownServers, ownTickets, type PersonalTable } from './personal-table.ts'

export const support: Readonly<Record<string, PersonalTable>> = {
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
