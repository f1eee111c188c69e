/** What tells of projects of the marketplace: of those that somebody follows, and of those that a moderator looks at. */
import { everywhere, withoutMail, type KindSpec } from './kind.ts'

export const marketplaceKinds = {
  /** To followers. */
  PROJECT_RELEASED: {
    group: 'marketplace',
    importance: 'low',
    fields: { project: 'text', version: 'text' },
    channels: withoutMail,
    action: 'open_project',
  },
  /** To whoever moderates: it is published when one of them has looked at it. */
  RELEASE_WAITING: {
    group: 'marketplace',
    importance: 'normal',
    fields: { project: 'text', version: 'text' },
    channels: everywhere,
    forAdministrators: true,
    action: 'open_moderation',
  },
} as const satisfies Record<string, KindSpec>
