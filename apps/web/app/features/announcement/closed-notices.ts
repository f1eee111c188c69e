/** Which notices were closed in this session. Another one, or other words, appear again. */

/** Session storage of what `Announcement` reads before the page is painted. */
export const announcementKey = 'ws-announcement'
export const redirectKey = 'ws-redirect'

/** Letters and digits that change with what a notice says. */
export function noticeId(notice: object): string {
  let hash = 0
  for (const char of JSON.stringify(notice)) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0
  return (hash >>> 0).toString(36)
}

export function closeNotice(key: string, id: string): void {
  try {
    sessionStorage.setItem(key, id)
  } catch {
    // Without storage it is closed until the next page.
  }
}

export function isNoticeClosed(key: string, id: string): boolean {
  try {
    return sessionStorage.getItem(key) === id
  } catch {
    return false
  }
}
