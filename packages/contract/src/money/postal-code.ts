/** Formats of postal codes where they are known; `#` a digit, `@` a letter, `(…)` may be left out. */
const formats: Readonly<Record<string, string>> = {
  PL: '##-###',
  AT: '####',
  AU: '####',
  BE: '####',
  BG: '####',
  BR: '#####-###',
  CA: '@#@ #@#',
  CH: '####',
  CN: '######',
  CY: '####',
  CZ: '### ##',
  DE: '#####',
  DK: '####',
  EE: '#####',
  ES: '#####',
  FI: '#####',
  FR: '#####',
  GE: '####',
  GR: '### ##',
  HR: '#####',
  HU: '####',
  IN: '######',
  IS: '###',
  IT: '#####',
  JP: '###-####',
  KR: '#####',
  KZ: '######',
  LI: '####',
  LT: '#####',
  LU: '####',
  LV: '####',
  MC: '#####',
  MD: '####',
  ME: '#####',
  MK: '####',
  MT: '@@@ ####',
  MX: '#####',
  NL: '#### @@',
  NO: '####',
  NZ: '####',
  PT: '####-###',
  RO: '######',
  RS: '#####',
  SE: '### ##',
  SI: '####',
  SK: '### ##',
  TR: '#####',
  TW: '###(###)',
  UA: '#####',
  US: '#####(-####)',
  ZA: '####',
}

/** What comes before a code in these countries and is often typed with it. */
const prefixes: Readonly<Record<string, RegExp>> = { LT: /^LT/, LV: /^LV/ }

const signs: Readonly<Record<string, string>> = { '#': '[0-9]', '@': '[A-Z]', '(': '(?:', ')': ')?' }

/** British codes are of six shapes; the last three signs always stand apart. */
const british = /^[A-Z]{1,2}[0-9][A-Z0-9]?[0-9][A-Z]{2}$/

/** An example of a country's format, such as `00-000`; undefined where we know none. */
export function postalCodeExample(country: string): string | undefined {
  return formats[country]
    ?.replace(/\(.*\)/, '')
    .replaceAll('#', '0')
    .replaceAll('@', 'A')
}

/**
 * A postal code as the country writes it, whatever spaces and hyphens it was typed with; undefined when it does not fit.
 * Where we know no format, anything of up to 12 signs does, nothing included.
 */
export function readPostalCode(country: string, typed: string): string | undefined {
  const text = typed.trim().toUpperCase()
  const format = formats[country]
  const bare = text.replace(/[\s-]/g, '').replace(prefixes[country] ?? /^$/, '')
  if (country === 'GB') return british.test(bare) ? `${bare.slice(0, -3)} ${bare.slice(-3)}` : undefined
  if (format === undefined) return /^[A-Z0-9 -]{0,12}$/.test(text) ? text : undefined
  const pattern = [...format.replace(/[ -]/g, '')].map((sign) => signs[sign] ?? sign).join('')
  if (!new RegExp(`^${pattern}$`).test(bare)) return undefined
  let at = 0
  let code = ''
  for (const sign of format.replace(/[()]/g, '')) {
    if (at >= bare.length) break
    code += sign === ' ' || sign === '-' ? sign : (bare[at++] ?? '')
  }
  return code
}
