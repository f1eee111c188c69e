/** Names of entries: each leads to one file, inside, on every system. */

const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Whether it leads out of the folder, or to different places on different systems. */
export function isBadName(name: string): boolean {
  if (name === '' || name.length > 1024) return true
  if (/[\p{Cc}\\:*?"<>|]/u.test(name) || name.startsWith('/')) return true
  return name
    .replace(/\/$/, '')
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..' || /[. ]$/.test(part) || devices.test(part))
}

/** Notes names one by one; tells of those that some system takes for one that was there before. */
export function createNames(): (name: string) => boolean {
  const files = new Set<string>()
  const folders = new Set<string>()
  return (name) => {
    const isFolder = name.endsWith('/')
    const key = name.normalize('NFC').toLowerCase().replace(/\/$/, '')
    const parts = key.split('/')
    const parents = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
    const isTaken = files.has(key) || (!isFolder && folders.has(key)) || parents.some((parent) => files.has(parent))
    for (const parent of parents) folders.add(parent)
    if (isFolder) folders.add(key)
    else files.add(key)
    return isTaken
  }
}
