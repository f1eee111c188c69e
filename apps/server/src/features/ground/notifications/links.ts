import { notificationActions, type NotificationAction } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl, type Settings } from '@wakestone/kit/settings'

/** What a notification is about; of a server with what it is called in addresses, for links that are read at once. */
type Resource = { resourceId: string | null; serverName?: string | undefined; fields: Record<string, unknown> }

/** A page that a notification leads to; without an action it is the notification's own. */
export type Page = { action?: NotificationAction; link: string }

/** The page on which an action is taken; undefined when it needs a resource, or a field, that is not there. */
export function pathOfAction(
  name: NotificationAction,
  { resourceId, serverName, fields }: Resource,
  language: Language,
): string | undefined {
  const path = notificationActions[name]
  const valueOf = (part: string) => (part === 'id' ? resourceId && (serverName ?? resourceId) : fields[part])
  const parts = [...path.matchAll(/:(\w+)/g)].map(([, part = '']) => part)
  if (parts.some((part) => typeof valueOf(part) !== 'string')) return undefined
  const filled = path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(valueOf(part))))
  // What is about a resource is found in every language.
  return parts.includes('id') ? filled : `/${language}${filled}`
}

/**
 * Where a notification leads from outside of the panel: to what can be done about it, else to the notification. By ids:
 * a mail lives longer than a server's name, which somebody else may have by then.
 */
export function pagesOf(
  {
    notificationId,
    actions,
    language,
    inPanel,
    ...resource
  }: Omit<Resource, 'serverName'> & {
    notificationId: string
    actions: readonly NotificationAction[]
    language: Language
    inPanel: boolean
  },
  settings: Settings,
): Page[] {
  const site = publicUrl(settings)
  const pages = actions.flatMap((action) => {
    const path = pathOfAction(action, resource, language)
    return path === undefined ? [] : [{ action, link: `${site}${path}` }]
  })
  return pages.length > 0 || !inPanel ? pages : [{ link: `${site}/${language}/notifications/${notificationId}` }]
}
