/** Reads XML as our e-invoices are written: elements, attributes, text; no entities but those of XML itself. */
export type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string }

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescape = (text: string) =>
  text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) =>
    name.startsWith('#')
      ? String.fromCodePoint(Number(name.replace(/^#x/i, '0x').replace('#', '')))
      : (named[name] ?? whole),
  )

/** @throws Error where it is not well-formed. */
export function readXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [tag, text] of xml.matchAll(/<[^>]+>|([^<]+)/g)) {
    const top = open.at(-1) as Element
    if (text !== undefined) top.text += unescape(text)
    else if (tag.startsWith('<?') || tag.startsWith('<!--')) continue
    else if (tag.startsWith('</')) {
      if (open.pop()?.name !== tag.slice(2, -1).trim()) throw new Error(`${tag} closes nothing`)
    } else {
      const pairs = [...tag.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
      const attributes = Object.fromEntries(pairs.map(([, name, one, other]) => [name, unescape(one ?? other ?? '')]))
      const element = { name: /^<([\w:-]+)/.exec(tag)?.[1] ?? '', attributes, children: [], text: '' }
      top.children.push(element)
      if (!tag.endsWith('/>')) open.push(element)
    }
  }
  const [document] = root.children
  if (open.length !== 1 || document === undefined) throw new Error('the document is not whole')
  return document
}

/** Elements at a path of names, `cac:TaxTotal/cbc:TaxAmount`. */
export function all(from: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce((found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)), [from])
}
export const textAt = (from: Element, path: string): string | undefined => all(from, path)[0]?.text.trim()
