/**
 * Texts with holes, such as `Mod {mod} requires {other}, which is missing`, found in lines that a hostile program may have
 * printed: each literal is looked for behind the one before, so the time grows with the length of the line alone.
 */
export type LinePattern = (line: string) => Record<string, string> | undefined

/** Longest text that fills a hole. */
const HOLE_LENGTH = 200

/** @param template literals with `{name}` for what is kept and `{}` for what is not */
export function linePattern(template: string): LinePattern {
  const parts = template.split(/\{(\w*)\}/)
  const literals = parts.filter((_, index) => index % 2 === 0)
  const names = parts.filter((_, index) => index % 2 === 1)
  return (line) => {
    const [first = ''] = literals
    let at = line.indexOf(first)
    if (at === -1) return undefined
    at += first.length
    const found: Record<string, string> = {}
    for (const [index, name] of names.entries()) {
      const literal = literals[index + 1] as string
      const end = literal === '' ? line.length : line.indexOf(literal, at)
      if (end === -1) return undefined
      if (name !== '') found[name] = line.slice(at, end).trim().slice(0, HOLE_LENGTH)
      at = end + literal.length
    }
    return found
  }
}
