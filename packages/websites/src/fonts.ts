/**
 * The faces that websites come with: those of the product, from the website's own host. What stands in until they are
 * there has their metrics, so that nothing shifts.
 */
import type { WebsiteTheme } from '@wakestone/contract/websites/content'
import type { Language } from '@wakestone/contract/values'

export const fontsPath = '/fonts/'
/** By the name below `fontsPath`: where the file is, for who serves it. */
export const fontFiles = {
  'inter-latin.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'inter-polish.woff2': '@wakestone/websites/fonts/inter-polish.woff2',
  'mono-latin.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  'mono-latin-ext.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-ext-wght-normal.woff2',
} as const
type FontFile = keyof typeof fontFiles

const polish = 'U+0104-0107,U+0118-0119,U+0141-0144,U+015A-015B,U+0179-017C'
const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215'

const face = (family: string, file: FontFile, range: string) =>
  `@font-face{font-family:"${family}";font-display:swap;font-weight:100 900;src:url(${fontsPath}${file}) format("woff2");unicode-range:${range}}`

const faces: Record<WebsiteTheme['font'], string> = {
  sans:
    face('Inter Variable', 'inter-polish.woff2', polish) +
    face('Inter Variable', 'inter-latin.woff2', latin) +
    '@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans"),local("Helvetica");ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%;size-adjust:107.12%}',
  // Readers' own: each system has a good one.
  serif: '',
  mono:
    face('JetBrains Mono Variable', 'mono-latin-ext.woff2', polish) +
    face('JetBrains Mono Variable', 'mono-latin.woff2', latin) +
    '@font-face{font-family:"JetBrains Mono Fallback";src:local("Courier New"),local("Liberation Mono");ascent-override:102%;descent-override:30%;line-gap-override:0%}',
}
export const facesOf = ({ font }: WebsiteTheme): string => faces[font]

/** Files that the first lines of a page need. */
export function fontsToPreload({ font }: WebsiteTheme, language: Language): string[] {
  const names: FontFile[] = font === 'serif' ? [] : font === 'sans' ? ['inter-latin.woff2'] : ['mono-latin.woff2']
  if (language === 'pl' && font !== 'serif') names.push(font === 'sans' ? 'inter-polish.woff2' : 'mono-latin-ext.woff2')
  return names.map((name) => fontsPath + name)
}
