/** Tickets, what people think of the product, and the audit log. */
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
      columns: [
        'id',
        'number',
        'email',
        'language',
        'topic',
        'subject',
        'status',
        'server_id',
        'context',
        'satisfaction',
        'satisfaction_comment',
        'satisfied_at',
        'solved_at',
        'follows_id',
        'created_at',
        'updated_at',
      ],
      without: ['user_id', 'assignee_id', 'waiting_since'],
    },
    deletion: {
      how: 'anonymised',
      set: { email: `'deleted@deleted.invalid'`, context: 'null', satisfaction_comment: `''` },
      why: 'Claims and complaints can be raised for years.',
    },
  },
  support_messages: {
    // What support notes for itself is no part of the conversation.
    of: `ticket_id in ${ownTickets} and not is_note`,
    export: {
      about: 'What was written in them.',
      columns: ['id', 'ticket_id', 'author', 'via', 'body', 'left_out', 'created_at'],
      without: ['author_id', 'is_note', 'sender_email', 'mail_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { mail_id: 'null' },
      why: 'Claims and complaints can be raised for years; names of mails name their servers.',
    },
  },
  support_attachments: {
    of: `message_id in (select id from support_messages where ticket_id in ${ownTickets})`,
    export: {
      about: 'Files that came with them. The files themselves are in the tickets.',
      columns: ['id', 'message_id', 'name', 'kind', 'bytes', 'created_at'],
      without: ['width', 'height', 'position'],
    },
    deletion: { how: 'kept', why: 'Part of what was written; claims and complaints can be raised for years.' },
  },
  feedback: {
    of: own,
    export: {
      about: 'What you think of the product, where you were asked.',
      columns: [
        'id',
        'rate',
        'causes',
        'advantages',
        'comment',
        'age',
        'language',
        'server_id',
        'may_publish',
        'published_at',
        'created_at',
      ],
      without: ['user_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { user_id: 'null', comment: `''`, age: 'null', may_publish: 'false', published_at: 'null' },
      why: 'Counted in figures; nobody is named any more.',
    },
  },
  survey_asks: {
    of: own,
    export: { about: 'When you were last asked what you think.', columns: ['asked_at'], without: ['user_id'] },
    deletion: deleted,
  },
  first_steps_closed: {
    of: own,
    export: {
      about: 'Since when you do not want to be told what to do first.',
      columns: ['closed_at'],
      without: ['user_id'],
    },
    deletion: deleted,
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
