/** What tells of projects of the marketplace: of one's own, of those that somebody follows, and of those that a moderator looks at. */
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
  /** To its authors: it has passed. */
  RELEASE_PUBLISHED: {
    group: 'marketplace',
    importance: 'normal',
    fields: { project: 'text', version: 'text' },
    channels: everywhere,
    action: 'open_project',
  },
  /** To its authors; with the reason that a moderator has written. */
  RELEASE_REFUSED: {
    group: 'marketplace',
    importance: 'high',
    fields: { project: 'text', version: 'text' },
    optional: { reason: 'text' },
    channels: everywhere,
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
