/** Which setting of a YAML file a line is about. */

const keyOf = /^(\s*)(?:- )?(?:"([^"]*)"|'([^']*)'|([^\s#:'"][^:#]*?))\s*:(?:\s|$)/

/** The dotted path of the key in a line (from 0), by how far it and those above are indented; undefined without one. */
export function yamlPathAt(lineAt: (index: number) => string, index: number): string | undefined {
  const own = keyOf.exec(lineAt(index))
  if (own === null) return undefined
  const nameOf = (match: RegExpExecArray) => match[2] ?? match[3] ?? match[4] ?? ''
  const path = [nameOf(own)]
  let indent = own[1]!.length
  for (let above = index - 1; above >= 0 && indent > 0; above -= 1) {
    const match = keyOf.exec(lineAt(above))
    if (match === null || match[1]!.length >= indent) continue
    indent = match[1]!.length
    path.unshift(nameOf(match))
  }
  return path.join('.')
}
