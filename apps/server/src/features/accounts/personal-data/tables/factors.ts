/** Second factors, codes and failed tries. */
import { deleted, own, secret, type PersonalTable } from './personal-table.ts'

export const factors: Readonly<Record<string, PersonalTable>> = {
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
}
