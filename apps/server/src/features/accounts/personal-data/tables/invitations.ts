/** Who was invited by whom, and what came of it. */
import { books, deleted, own, type PersonalTable } from './personal-table.ts'

export const invitations: Readonly<Record<string, PersonalTable>> = {
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
    export: {
      about: 'The place in the queue for a free server.',
      columns: ['joined_at', 'cluster_id', 'number', 'offered_until'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  free_sessions: {
    of: own,
    export: {
      about: 'When your free server had a place, and for how long it was up.',
      columns: ['server_id', 'cluster_id', 'taken_at', 'started_at', 'ends_at', 'ended_at', 'end_reason'],
      without: ['id', 'user_id', 'warned'],
    },
    deletion: deleted,
  },
  free_bonus_hours: {
    of: own,
    export: {
      about: 'Hours from invitations that were taken for a free server.',
      columns: ['at'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
}
