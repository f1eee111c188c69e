import type { Icon } from '@tabler/icons-react'
import type { Translate } from '#app/i18n/create-i18n.ts'
import type { Language } from '#app/i18n/languages.ts'

export type NavItem = { to: string; label: string; icon: Icon; end?: boolean; count?: number }
export type NavGroup = { title?: string; items: readonly NavItem[] }

/** What the panel's frame shows around a screen: the server that is open, and the navigation of the sidebar. */
export type FrameContent = { serverId?: string; groups: readonly NavGroup[] }

/**
 * A route module that exports `handle = { frame } satisfies FrameHandle` replaces the sidebar's navigation.
 * `data` is its loader's data.
 */
export type FrameHandle = {
  frame: (data: never, tools: { t: Translate; path: (path: string) => string; language: Language }) => FrameContent
}
