/**
 * Where a line has what was searched for, so that it can be marked. The server has found it by rules of its own: what this
 * browser reads otherwise is shown without a mark.
 */
export function finderOf(
  text: string,
  { matchCase, isRegex }: { matchCase: boolean; isRegex: boolean },
): (line: string) => readonly [at: number, length: number] | undefined {
  const source = isRegex ? text : text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  try {
    const pattern = new RegExp(source, matchCase ? 'u' : 'iu')
    return (line) => {
      const found = pattern.exec(line)
      return found === null ? undefined : [found.index, found[0].length]
    }
  } catch {
    return () => undefined
  }
}
