/** Text that players see: `§` codes become components, which is what clients since 1.20.3 take. */
import { nbt, type Squid } from './library.ts'

const colours =
  'black dark_blue dark_green dark_aqua dark_red dark_purple gold gray dark_gray blue green aqua red light_purple yellow white'.split(
    ' ',
  )
const styles: Record<string, string> = { k: 'obfuscated', l: 'bold', m: 'strikethrough', n: 'underlined', o: 'italic' }

/** The library leaves its colour codes in the text as they are, and takes an `&` that a player types for one. */
export function useComponents(serv: Squid): void {
  for (const [name, code] of Object.entries(serv.color)) serv.color[name] = code.replace('&', '§')
  serv._createChatComponent = (message) => {
    const component = toComponent(
      typeof message === 'string' ? message : ((message as { text?: string } | null)?.text ?? ''),
    )
    return Object.assign(component, { toNetworkFormat: () => component })
  }
}

function toComponent(text: string): object {
  const [plain, ...coded] = text.split(/§(?=[0-9a-fk-or])/)
  let style: Record<string, object> = {}
  const parts = coded.map((part) => {
    const code = part[0]!
    const colour = '0123456789abcdef'.indexOf(code)
    if (colour >= 0) style = { color: nbt.string(colours[colour]!) }
    else if (code === 'r') style = {}
    else style = { ...style, [styles[code]!]: nbt.bool(true) }
    return { ...style, text: nbt.string(part.slice(1)) }
  })
  const shown = parts.filter((part) => (part.text as { value: string }).value !== '')
  if (shown.length === 0) return nbt.comp({ text: nbt.string(plain!) })
  return nbt.comp({ text: nbt.string(plain!), extra: nbt.list(nbt.comp(shown)) })
}
