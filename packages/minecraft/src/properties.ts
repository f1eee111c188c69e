/** `server.properties`, read and changed without touching what stands around it. */

/** Java's format of properties, with escapes; or `key=value` as it stands, which Bedrock Dedicated Server reads. */
export type PropertiesFormat = 'java' | 'plain'

/** Keys with their values, in the order of the file; of a key that stands twice the last one counts. */
export function readProperties(text: string, format: PropertiesFormat = 'java'): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const read = readLine(line, format)
    if (read === undefined) continue
    found.delete(read.key)
    found.set(read.key, read.value)
  }
  return found
}

/** The text with these values; null removes a key. Comments, order and other lines stay as they are. */
export function changeProperties(
  text: string,
  changes: ReadonlyMap<string, string | null>,
  format: PropertiesFormat = 'java',
): string {
  const open = new Map(changes)
  const lines: string[] = []
  const present = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  for (const line of present) {
    const key = readLine(line, format)?.key
    if (key === undefined || !changes.has(key)) {
      lines.push(line)
      continue
    }
    const value = open.get(key)
    open.delete(key) // a second line of the same key goes
    if (value != null) lines.push(formatProperty(key, value, format))
  }
  for (const [key, value] of open) if (value !== null) lines.push(formatProperty(key, value, format))
  return lines.map((line) => `${line}\n`).join('')
}

export function formatProperties(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${formatProperty(key, value)}\n`)
    .join('')
}

const formatProperty = (key: string, value: string, format: PropertiesFormat = 'java') =>
  format === 'plain' ? `${key}=${value}` : `${escape(key).replaceAll(' ', '\\ ')}=${escape(value)}`

/** Characters beyond ASCII are escaped, for versions that read Latin-1. */
function escape(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '')
    .replace(/[:=#!]/g, (character) => `\\${character}`)
    .replace(/^ /, '\\ ')
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function readLine(line: string, format: PropertiesFormat): { key: string; value: string } | undefined {
  if (format === 'plain') {
    const [, key, value = ''] = /^\s*([^#=\s][^=]*?)\s*=(.*)$/.exec(line) ?? []
    return key === undefined ? undefined : { key, value: value.trim() }
  }
  const match = /^\s*((?:\\.|[^\\=:\s#!])(?:\\.|[^\\=:\s])*)\s*[=:]?\s*(.*)$/.exec(line)
  if (match === null) return undefined
  return { key: unescape(match[1] ?? ''), value: unescape(match[2] ?? '') }
}

const unescape = (text: string) =>
  text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return code === 'n' ? '\n' : code === 't' ? '\t' : code
  })
