/** Which announcement was closed in this session. Another one, or other words, appear again. */
import type { FlagValues } from '@wakestone/contract/flags'

const storageKey = 'ws-announcement'

/** Letters and digits that change with what it says. */
export function announcementId(announcement: NonNullable<FlagValues['panel-announcement']>): string {
  let hash = 0
  for (const char of JSON.stringify(announcement)) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0
  return (hash >>> 0).toString(36)
}

export function closeAnnouncement(id: string): void {
  try {
    sessionStorage.setItem(storageKey, id)
  } catch {
    // Without storage it is closed until the next page.
  }
  document.documentElement.dataset['announcement'] = 'closed'
}
