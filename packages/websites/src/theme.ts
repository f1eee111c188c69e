/** Colours of a website. Whatever its owner picks can be read: texts on the accent are made dark or light. */
import type { WebsiteTheme } from '@wakestone/contract/websites/content'

type Look = { ground: string; raised: string; line: string; text: string; muted: string; accent: string; dark: boolean }

const looks: Record<WebsiteTheme['look'], Look> = {
  lantern: {
    ground: '#0e1116',
    raised: '#171c24',
    line: '#27303b',
    text: '#e8ebef',
    muted: '#a3aebc',
    accent: '#f5b942',
    dark: true,
  },
  daylight: {
    ground: '#faf9f6',
    raised: '#ffffff',
    line: '#e0ddd4',
    text: '#1b1f24',
    muted: '#535c66',
    accent: '#8a5900',
    dark: false,
  },
  forest: {
    ground: '#0f1712',
    raised: '#17231b',
    line: '#283a2e',
    text: '#e6f0e9',
    muted: '#a2b5a8',
    accent: '#6fce9a',
    dark: true,
  },
  ocean: {
    ground: '#f2f7fb',
    raised: '#ffffff',
    line: '#d3e0ea',
    text: '#10222f',
    muted: '#4a5f6e',
    accent: '#0b6aa8',
    dark: false,
  },
  ember: {
    ground: '#1a0f0e',
    raised: '#271715',
    line: '#432623',
    text: '#f5e8e6',
    muted: '#c5aba7',
    accent: '#ff8a5c',
    dark: true,
  },
}

const fonts: Record<WebsiteTheme['font'], string> = {
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif',
  mono: 'ui-monospace, "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace',
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
  const { dark, ...colours } = looks[look]
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
  }
}

export const groundOf = ({ look }: WebsiteTheme): string => looks[look].ground
