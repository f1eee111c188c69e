/** What tells of an account, its referrals and its tickets. */
import { everywhere, type KindSpec, withoutMail } from './kind.ts'

export const accountKinds = {
  SUPPORT_TICKET_UPDATED: {
    group: 'support',
    importance: 'normal',
    fields: { number: 'reference', subject: 'text', status: 'word' },
    // What support has written is a mail of its own, which can be answered.
    channels: withoutMail,
    action: 'open_ticket',
  },
  REFERRAL_REWARD: {
    group: 'account',
    importance: 'normal',
    fields: { hours: 'hours', reason: 'word' },
    channels: everywhere,
    action: 'open_referrals',
  },
  REFERRAL_REVERSED: {
    group: 'account',
    importance: 'normal',
    fields: { hours: 'hours' },
    channels: everywhere,
    action: 'open_referrals',
  },
  AFFILIATE_APPROVED: {
    group: 'account',
    importance: 'normal',
    fields: {},
    channels: everywhere,
    action: 'open_affiliate',
  },
  AFFILIATE_SUSPENDED: {
    group: 'account',
    importance: 'high',
    fields: {},
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  DATA_EXPORT_READY: {
    group: 'account',
    importance: 'normal',
    fields: { expires: 'time' },
    channels: everywhere,
    action: 'open_settings',
  },
  /** By us: its address is gone, or has taken nothing for days. */
  WEBHOOK_STOPPED: {
    group: 'account',
    importance: 'normal',
    fields: { host: 'text' },
    channels: everywhere,
    action: 'open_webhooks',
  },
} as const satisfies Record<string, KindSpec>
