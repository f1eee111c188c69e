import {
  type Icon,
  IconAdjustments,
  IconArrowsUpDown,
  IconCalendarTime,
  IconEngine,
  IconHistory,
  IconLayoutDashboard,
  IconReceipt,
  IconUsers,
} from '@tabler/icons-react'

export const serverScreenGroups = ['play', 'manage', 'settings', 'plan'] as const

type ServerScreen = {
  group: (typeof serverScreenGroups)[number]
  /** Below `/s/{identity}`. */
  path: string
  label:
    | 'server.overview'
    | 'schedules.nav'
    | 'settings.nav'
    | 'engine.nav'
    | 'server.events'
    | 'sharing.nav'
    | 'server.payments'
    | 'plans.change'
  icon: Icon
  /** Only for whoever pays for the server. */
  ofOwner?: true
}

/** Screens of a server in the order of the sidebar. A group is shown once it has one. */
export const serverScreens: readonly ServerScreen[] = [
  { group: 'play', path: '', label: 'server.overview', icon: IconLayoutDashboard },
  { group: 'manage', path: '/events', label: 'server.events', icon: IconHistory },
  { group: 'manage', path: '/schedules', label: 'schedules.nav', icon: IconCalendarTime },
  { group: 'settings', path: '/settings', label: 'settings.nav', icon: IconAdjustments },
  { group: 'settings', path: '/settings/engine', label: 'engine.nav', icon: IconEngine },
  { group: 'settings', path: '/settings/access', label: 'sharing.nav', icon: IconUsers },
  { group: 'plan', path: '/payments', label: 'server.payments', icon: IconReceipt },
  { group: 'plan', path: '/payments/upgrade', label: 'plans.change', icon: IconArrowsUpDown, ofOwner: true },
]

/** Those that somebody may open. */
export const screensFor = (isOwner: boolean) => serverScreens.filter(({ ofOwner }) => isOwner || ofOwner !== true)
