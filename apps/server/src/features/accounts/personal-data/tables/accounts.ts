/** The account, and who signs in to it. */
import { deleted, own, secret, type PersonalTable } from './personal-table.ts'

export const accounts: Readonly<Record<string, PersonalTable>> = {
  users: {
    of: 'id = $1',
    export: {
      about: 'The account.',
      columns: [
        'id',
        'username',
        'email',
        'language',
        'time_zone',
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
        time_zone: 'null',
        suspended_at: 'null',
        suspended_reason: 'null',
        suspended_by: 'null',
      },
      why: 'Postings, payments and the audit log refer to it.',
    },
  },
  user_activities: {
    of: own,
    export: { about: 'When the account was last used.', columns: ['last_at'], without: ['user_id'] },
    deletion: { how: 'anonymised', set: { last_at: `'-infinity'` }, why: 'Lists of accounts are in its order.' },
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
  event_webhooks: {
    of: own,
    export: {
      about: 'Addresses that are told of what happens to the account and its servers.',
      columns: ['id', 'scope', 'url', 'actions', 'paused_for', 'failing_since', 'created_at'],
      without: ['user_id', 'secret_number', 'secret_before_until'],
    },
    deletion: deleted,
  },
  event_webhook_deliveries: {
    of: `webhook_id in (select id from event_webhooks where user_id = $1)`,
    export: { not: 'Which events an address was told of; these are in the list of events.' },
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
  ssh_keys: {
    of: own,
    export: {
      about: 'SSH keys that open the files of servers.',
      columns: ['id', 'name', 'algorithm', 'public_key', 'fingerprint', 'created_at', 'last_used_at', 'last_used_ip'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  sftp_passwords: {
    of: own,
    export: {
      about: 'Passwords for files of servers over SFTP.',
      columns: ['server_id', 'created_at', 'last_used_at', 'last_used_ip'],
      without: ['id', 'user_id', 'password_hash'],
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
}
