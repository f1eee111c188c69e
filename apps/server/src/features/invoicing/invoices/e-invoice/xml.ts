/** XML text from nested lists: `['Name', 'text']`, `['Name', [children]]`, `['Name', {attribute}, content]`. Pure. */
import { allowedInXml } from '../text.ts'

export type Node =
  | readonly [name: string, content: Content]
  | readonly [name: string, attributes: Record<string, string>, content: Content]
type Content = string | number | readonly (Node | undefined)[]

/** Nothing that XML 1.0 forbids, and no mark-up. */
const escapeXml = (text: string) => allowedInXml(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function write(node: Node): string {
  const [name, attributes, content] = node.length === 3 ? node : [node[0], {}, node[1]]
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const inner = Array.isArray(content)
    ? content.flatMap((child: Node | undefined) => (child === undefined ? [] : [write(child)])).join('')
    : escapeXml(String(content))
  return `<${name}${written.join('')}>${inner}</${name}>`
}

/** A whole document in UTF-8. Elements that are undefined are left out. */
export const writeXml = (root: Node): string => `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}`
