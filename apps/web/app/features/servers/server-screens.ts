import {
  type Icon,
  IconAdjustments,
  IconArrowsUpDown,
  IconCalendarTime,
  IconDatabase,
  IconDatabaseExport,
  IconEngine,
  IconFolder,
  IconHistory,
  IconLayoutDashboard,
  IconMap2,
  IconPackages,
  IconReceipt,
  IconShoppingBag,
  IconUsers,
  IconUsersGroup,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import { type Capabilities, canManageServer } from '@wakestone/contract/capabilities'
import type { Server } from '@wakestone/contract/servers/server'
import type { TextKey } from '#app/i18n/text-types.ts'

/** A group is shown once it has an entry that its visitor may open. */
export const serverScreenGroups = ['play', 'data', 'manage', 'settings', 'plan'] as const

type ServerScreen = {
  group: (typeof serverScreenGroups)[number]
  /** Below `/s/{identity}`. */
  path: string
  label: TextKey
  icon: Icon
  /** Who may open it: whoever pays for the server, or who may change it. Everybody else who sees the server, where it is missing. */
  for?: 'owner' | 'manager'
  /** What its plan has to have. */
  needs?: 'mysql'
}

/** Screens of a server in the order of the sidebar: a line here is all that a new one needs. */
export const serverScreens: readonly ServerScreen[] = [
  { group: 'play', path: '', label: 'server.overview', icon: IconLayoutDashboard },
  { group: 'play', path: '/players', label: 'players.title', icon: IconUsersGroup },
  { group: 'data', path: '/files', label: 'files.title', icon: IconFolder, for: 'manager' },
  { group: 'data', path: '/backups', label: 'backups.nav', icon: IconDatabaseExport },
  { group: 'data', path: '/app/worlds', label: 'worlds.nav', icon: IconWorld, for: 'manager' },
  { group: 'data', path: '/mysql', label: 'mysql.title', icon: IconDatabase, for: 'manager', needs: 'mysql' },
  { group: 'data', path: '/mapview', label: 'map.nav', icon: IconMap2 },
  { group: 'manage', path: '/m', label: 'packages.nav', icon: IconPackages },
  { group: 'manage', path: '/events', label: 'server.events', icon: IconHistory },
  { group: 'manage', path: '/schedules', label: 'schedules.nav', icon: IconCalendarTime, for: 'manager' },
  { group: 'manage', path: '/shop', label: 'shop.nav', icon: IconShoppingBag, for: 'manager' },
  { group: 'settings', path: '/settings', label: 'settings.nav', icon: IconAdjustments, for: 'manager' },
  { group: 'settings', path: '/settings/engine', label: 'engine.nav', icon: IconEngine, for: 'manager' },
  { group: 'settings', path: '/settings/addresses', label: 'addresses.nav', icon: IconWorldWww },
  { group: 'settings', path: '/settings/access', label: 'sharing.nav', icon: IconUsers },
  { group: 'plan', path: '/payments', label: 'server.payments', icon: IconReceipt, for: 'owner' },
  { group: 'plan', path: '/payments/upgrade', label: 'plans.change', icon: IconArrowsUpDown, for: 'owner' },
]

/** Those that somebody may open. */
export function screensFor(
  user: { id: string; user_capabilities: Capabilities },
  server: Pick<Server, 'owner_id' | 'user_capabilities'> & { parameters?: { limits: { mysql?: number | undefined } } },
): readonly ServerScreen[] {
  const may = {
    owner: user.id === server.owner_id,
    manager: canManageServer(user.user_capabilities, server.user_capabilities),
  }
  return serverScreens.filter(
    (screen) =>
      (screen.for === undefined || may[screen.for]) &&
      (screen.needs === undefined || (server.parameters?.limits[screen.needs] ?? 0) > 0),
  )
}
