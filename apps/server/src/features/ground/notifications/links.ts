import { notificationActions, type NotificationAction } from '@wakestone/contract/ground/notification-kinds/kind'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl, type Settings } from '@wakestone/kit/settings'

/** What a notification is about; of a server with what it is called in addresses. */
type Resource = { resourceId: string | null; serverName: string | undefined }

/** The page on which an action is taken; undefined when it needs a resource that there is none of. */
export function pathOfAction(
  name: NotificationAction,
  { resourceId, serverName }: Resource,
  language: Language,
): string | undefined {
  const path = notificationActions[name]
  if (path.includes(':id')) return resourceId === null ? undefined : path.replace(':id', serverName ?? resourceId)
  return `/${language}${path}`
}

/** Where a notification leads from outside of the panel: to what can be done about it, else to the notification. */
export function linkOf(
  {
    notificationId,
    actions,
    resourceId,
    serverName,
    language,
    inPanel,
  }: Resource & {
    notificationId: string
    actions: readonly NotificationAction[]
    language: Language
    inPanel: boolean
  },
  settings: Settings,
): string | undefined {
  const [action] = actions
  const path = action && pathOfAction(action, { resourceId, serverName }, language)
  if (path !== undefined) return `${publicUrl(settings)}${path}`
  return inPanel ? `${publicUrl(settings)}/${language}/notifications/${notificationId}` : undefined
}
