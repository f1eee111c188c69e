/** Text that players see: JSON text components, with colours from a small palette or from § codes. */

/**
 * The palette: exact colour for clients since 1.16, the nearest named one for older clients,
 * and the § code for the oldest.
 */
const palette = {
  text: { hex: '#e8ebef', name: 'white', code: 'f' },
  muted: { hex: '#97a3b2', name: 'gray', code: '7' },
  lantern: { hex: '#f5b942', name: 'gold', code: '6' },
  moss: { hex: '#5fc08a', name: 'green', code: 'a' },
  dusk: { hex: '#8aa0ff', name: 'blue', code: '9' },
  ember: { hex: '#f2695c', name: 'red', code: 'c' },
} as const
export type ColorToken = keyof typeof palette

/** Protocol of Minecraft 1.16, the first to take any colour. Snapshots have numbers above 2^30. */
const FIRST_WITH_HEX = 735

export type TextComponent = {
  text: string
  color?: string
  bold?: boolean
  italic?: boolean
  underlined?: boolean
  strikethrough?: boolean
  obfuscated?: boolean
  extra?: TextComponent[]
}

export type TextSpan = { text: string; color: ColorToken; bold?: boolean }

/** Whether clients of a protocol show any colour exactly. */
export const hasExactColors = (protocol: number) => protocol >= FIRST_WITH_HEX

/** Builds a component for a client of the given protocol. */
export function textFromSpans(spans: TextSpan[], protocol: number): TextComponent {
  const exact = hasExactColors(protocol)
  const extra = spans.map(({ text, color, bold }) => ({
    text,
    color: palette[color][exact ? 'hex' : 'name'],
    ...(bold ? { bold } : {}),
  }))
  return { text: '', extra }
}

/** The same as § codes, for the legacy ping. */
export function legacyTextFromSpans(spans: TextSpan[]): string {
  return spans.map(({ text, color, bold }) => `§${palette[color].code}${bold ? '§l' : ''}${text}`).join('')
}

const colorNames = [
  'black',
  'dark_blue',
  'dark_green',
  'dark_aqua',
  'dark_red',
  'dark_purple',
  'gold',
  'gray',
  'dark_gray',
  'blue',
  'green',
  'aqua',
  'red',
  'light_purple',
  'yellow',
  'white',
]
const formats = { k: 'obfuscated', l: 'bold', m: 'strikethrough', n: 'underlined', o: 'italic' } as const

/** Turns § codes into a component. A colour ends formats, as in the game; unknown codes vanish. */
export function textFromLegacy(legacy: string): TextComponent {
  const extra: TextComponent[] = []
  let style: Omit<TextComponent, 'text' | 'extra'> = {}
  for (const [index, piece] of legacy.split('§').entries()) {
    const code = piece[0]?.toLowerCase()
    if (index > 0 && code !== undefined) {
      const color = /[0-9a-f]/.test(code) ? colorNames[Number.parseInt(code, 16)] : undefined
      if (color) style = { color }
      else if (code === 'r') style = {}
      else if (code in formats) style = { ...style, [formats[code as keyof typeof formats]]: true }
    }
    const text = index > 0 ? piece.slice(1) : piece
    if (text !== '') extra.push({ text, ...style })
  }
  return { text: '', extra }
}

/**
 * The bare words of any component a server may send: a string, a list or an object, nested, with § codes removed.
 * Translatable texts give their key. Depth is bounded, so hostile nesting is harmless.
 */
export function plainText(component: unknown, depth = 0): string {
  if (depth > 32) return ''
  if (typeof component === 'string') return component.replace(/§./gsu, '')
  if (Array.isArray(component)) return component.map((part) => plainText(part, depth + 1)).join('')
  if (typeof component !== 'object' || component === null) return ''
  const { text, translate, extra } = component as Record<string, unknown>
  return plainText(text ?? translate ?? '', depth + 1) + plainText(extra ?? '', depth + 1)
}
