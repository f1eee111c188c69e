/** Colours of a website. Whatever its owner picks can be read: texts on the accent are made dark or light. */
import type { WebsiteTheme } from '@wakestone/contract/websites/content'
import { looks } from './looks.ts'

const fonts: Record<WebsiteTheme['font'], string> = {
  sans: '"Inter Variable", "Inter Fallback", system-ui, sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif',
  mono: '"JetBrains Mono Variable", "JetBrains Mono Fallback", ui-monospace, monospace',
}
const corners: Record<WebsiteTheme['corners'], string> = { square: '0', soft: '8px', round: '18px' }

/** Relative luminance, as WCAG has it. */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const readable = 4.5
/** The same colour, nearer to white or black until it can be read on a ground. */
function readableOn(colour: string, ground: string, towards: '#ffffff' | '#000000'): string {
  for (let part = 0; part <= 1; part += 0.05) {
    const mixed = mix(colour, towards, part)
    if (contrast(mixed, ground) >= readable) return mixed
  }
  return towards
}

function mix(one: string, other: string, part: number): string {
  return `#${[1, 3, 5]
    .map((at) => {
      const from = Number.parseInt(one.slice(at, at + 2), 16)
      const to = Number.parseInt(other.slice(at, at + 2), 16)
      return Math.round(from + (to - from) * part)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}

/** Of a theme, as custom properties of CSS. */
export function themeVariables({ look, accent, font, corners: corner }: WebsiteTheme): Record<`--${string}`, string> {
  const { dark, sky, scene, ...colours } = looks[look]
  const fill = accent === '' ? colours.accent : accent
  const dim = '#12151a'
  return {
    '--ground': colours.ground,
    '--raised': colours.raised,
    '--line': colours.line,
    '--text': colours.text,
    '--muted': colours.muted,
    '--accent': fill,
    '--on-accent': contrast(dim, fill) >= contrast('#ffffff', fill) ? dim : '#ffffff',
    // Links and small marks on the ground and on what is raised.
    '--accent-text': readableOn(
      readableOn(fill, colours.raised, dark ? '#ffffff' : '#000000'),
      colours.ground,
      dark ? '#ffffff' : '#000000',
    ),
    '--up': dark ? '#5fc08a' : '#1f7a4d',
    '--asleep': dark ? '#8aa0ff' : '#4656c4',
    '--down': dark ? '#a3aebc' : '#535c66',
    '--font': fonts[font],
    '--corner': corners[corner],
    '--scheme': dark ? 'dark' : 'light',
    '--sky-high': sky[0],
    '--sky-low': sky[1],
    '--light': fill,
    ...Object.fromEntries(Object.entries(scene).map(([tone, colour]) => [`--${tone}`, colour])),
  }
}

export const groundOf = ({ look }: WebsiteTheme): string => looks[look].ground
