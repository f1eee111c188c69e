/** What tells of a server, of who has access to it and of its players. */
import { everywhere, purchase, server, withoutMail, type KindSpec } from './kind.ts'

export const serverKinds = {
  SERVER_CREATED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, address: 'text' },
    /** Of an order: what was rented. Of a free server: until when, and how long it may be up. */
    optional: {
      ...purchase,
      product: 'product',
      free_until: 'time',
      day_hours: 'hours',
      session_hours: 'hours',
      renew_days: 'days',
    },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_server',
    more: ['open_plan', 'open_document'],
  },
  /** It is somebody's turn: the place waits for them until then. */
  FREE_PLACE_OFFERED: {
    group: 'servers',
    importance: 'high',
    fields: { until: 'time' },
    channels: everywhere,
    action: 'open_free_play',
  },
  FREE_PLACE_LOST: {
    group: 'servers',
    importance: 'normal',
    fields: {},
    channels: withoutMail,
    action: 'open_free_play',
  },
  FREE_SESSION_ENDS: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, minutes: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  FREE_SESSION_OVER: {
    group: 'servers',
    importance: 'normal',
    fields: server,
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_CRASHED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, crash_count: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_BACKUP_FAILED: {
    group: 'servers',
    importance: 'high',
    fields: server,
    channels: everywhere,
    action: 'open_server',
  },
  /** To administrators: data of a backup is not what was backed up. */
  BACKUP_DAMAGED: {
    group: 'servers',
    importance: 'high',
    fields: server,
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_DISK_QUOTA_WARNING: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, free: 'bytes', percent: 'number' },
    channels: everywhere,
    action: 'open_server',
  },
  /** By bots. Of attacks that follow one another it is told of one in an hour. */
  SERVER_UNDER_ATTACK: {
    group: 'servers',
    importance: 'high',
    fields: server,
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_ATTACK_OVER: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, minutes: 'number', turned_away: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  /** What went out of the trash before its time. */
  TRASH_MADE_ROOM: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, path: 'text', size: 'bytes' },
    channels: withoutMail,
    action: 'open_server',
  },
  PACKAGE_INSTALL_FAILED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, package: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  PACKAGE_UNINSTALL_FAILED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, package: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  /** Newer releases of what it has; they are taken when somebody says so. */
  PACKAGE_UPDATES_AVAILABLE: {
    group: 'servers',
    importance: 'low',
    fields: { ...server, packages: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  /** A package turned out to be malice, and was taken away. */
  PACKAGE_QUARANTINED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, package: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  PLAYER_JOINED: {
    group: 'players',
    importance: 'low',
    fields: { ...server, player: 'text' },
    channels: [],
    action: 'open_server',
  },
  PLAYER_TRIED_TO_JOIN: {
    group: 'players',
    importance: 'low',
    fields: { ...server, player: 'text' },
    channels: [],
    action: 'open_server',
  },
  RECOGNISED_CRASH: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, reason: 'word' },
    channels: withoutMail,
    action: 'open_server',
  },
  TOO_MANY_PLUGINS: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, limit: 'number' },
    channels: withoutMail,
    action: 'open_server',
  },
  /** By an administrator, who says why. */
  SERVER_DISABLED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, reason: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_ENABLED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, reason: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  /** An administrator asks whether it may. */
  SERVER_MOVE_ASKED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, cluster: 'text', reason: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_MIGRATED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, cluster: 'text' },
    channels: everywhere,
    action: 'open_server',
  },
  /** Its machine was lost: it came up elsewhere as it was in a backup. */
  SERVER_RESCUED: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, cluster: 'text', made_at: 'time' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_CRASHED_TOO_MANY_TIMES: {
    group: 'servers',
    importance: 'high',
    fields: { ...server, crash_count: 'number' },
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_SHARED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, by: 'text' },
    // The invitation itself is mailed, with a link of its own.
    channels: withoutMail,
    action: 'open_servers',
  },
  SERVER_ACCESS_CHANGED: {
    group: 'servers',
    importance: 'normal',
    fields: server,
    channels: everywhere,
    action: 'open_server',
  },
  SERVER_ACCESS_REVOKED: {
    group: 'servers',
    importance: 'normal',
    fields: server,
    channels: everywhere,
    action: 'open_servers',
  },
  /** To the owner: somebody took up an invitation, or left. */
  SERVER_GUEST_JOINED: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, guest: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
  SERVER_GUEST_LEFT: {
    group: 'servers',
    importance: 'normal',
    fields: { ...server, guest: 'text' },
    channels: withoutMail,
    action: 'open_server',
  },
} as const satisfies Record<string, KindSpec>
