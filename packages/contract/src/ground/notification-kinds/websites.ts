/** What tells of a website: how long it lasts, what becomes of it. */
import { everywhere, purchase, website, type KindSpec } from './kind.ts'

export const websiteKinds = {
  WEBSITE_CREATED: {
    group: 'services',
    importance: 'normal',
    fields: { ...website, address: 'text' },
    optional: purchase,
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_website',
    more: ['open_website_plan', 'open_document'],
  },
  WEBSITE_RENEWED: {
    group: 'services',
    importance: 'normal',
    fields: { ...website, expires: 'time' },
    optional: purchase,
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_website',
    more: ['open_website_plan', 'open_document'],
  },
  WEBSITE_EXPIRES_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { ...website, days: 'days', expires: 'time' },
    optional: { amount: 'money', period: 'days' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'renew_website',
  },
  WEBSITE_EXPIRED: {
    group: 'services',
    importance: 'high',
    fields: { ...website, deleted_at: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'renew_website',
  },
  WEBSITE_CLEANUP_WARNING: {
    group: 'services',
    importance: 'high',
    fields: { ...website, days: 'days' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'renew_website',
  },
  WEBSITE_CLEANED_UP: {
    group: 'services',
    importance: 'high',
    fields: { ...website, address: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_websites',
  },
} as const satisfies Record<string, KindSpec>
