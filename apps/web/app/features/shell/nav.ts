import type { Icon } from '@tabler/icons-react'
import type { Translate } from '#app/i18n/create-i18n.ts'
import type { Language } from '#app/i18n/languages.ts'

/** Stands for its address and those below it that no other entry stands for; `end`: for its address alone. */
export type NavItem = {
  to: string
  label: string
  icon: Icon
  end?: boolean
  count?: number
  /** Paths besides its own on which it is where one is; one that ends in `/` stands for all below it. */
  also?: readonly string[]
}
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

/** The entry that stands for a page: of those above it the nearest. */
export function findActive(items: readonly NavItem[], pathname: string): NavItem | undefined {
  return items
    .filter(
      ({ to, end = false, also = [] }) =>
        pathname === to ||
        also.some((one) => (one.endsWith('/') ? pathname.startsWith(one) : pathname === one)) ||
        (!end && pathname.startsWith(`${to}/`)),
    )
    .reduce<NavItem | undefined>(
      (best, item) => (best === undefined || item.to.length > best.to.length ? item : best),
      undefined,
    )
}
