/** VAT ids: their formats and check digits. Whether an id is registered is for the EU's service to say. */
import {
  austria,
  belgium,
  bulgaria,
  checkVAT,
  croatia,
  cyprus,
  czechRepublic,
  denmark,
  estonia,
  finland,
  france,
  germany,
  greece,
  hungary,
  ireland,
  italy,
  latvia,
  lithuania,
  luxembourg,
  malta,
  netherlands,
  norway,
  poland,
  portugal,
  romania,
  slovakiaRepublic,
  slovenia,
  spain,
  sweden,
  switzerland,
  unitedKingdom,
} from 'jsvat'

/** The library knows Belgian numbers that begin with 0 only; since 2023 there are some with 1. */
const belgiumToday: typeof belgium = {
  ...belgium,
  calcFn: (digits) => 97 - (Number(digits.slice(0, -2)) % 97) === Number(digits.slice(-2)),
  rules: { ...belgium.rules, regex: [/^(BE)([01]?[0-9]{9})$/] },
}

/** By ISO 3166-1 code: the members of the EU, and Great Britain, Switzerland and Norway. */
const rules = {
  AT: austria,
  BE: belgiumToday,
  BG: bulgaria,
  CH: switzerland,
  CY: cyprus,
  CZ: czechRepublic,
  DE: germany,
  DK: denmark,
  EE: estonia,
  ES: spain,
  FI: finland,
  FR: france,
  GB: unitedKingdom,
  GR: greece,
  HR: croatia,
  HU: hungary,
  IE: ireland,
  IT: italy,
  LT: lithuania,
  LU: luxembourg,
  LV: latvia,
  MT: malta,
  NL: netherlands,
  NO: norway,
  PL: poland,
  PT: portugal,
  RO: romania,
  SE: sweden,
  SI: slovenia,
  SK: slovakiaRepublic,
}
type CountryWithRules = keyof typeof rules
export const countriesWithTaxId = Object.keys(rules) as CountryWithRules[]

/** Prefixes that are not the country's code. Monaco's companies are registered in France. */
const prefixes: Readonly<Record<string, string>> = { GR: 'EL', MC: 'FR' }
const ruled: Readonly<Record<string, CountryWithRules>> = { MC: 'FR', XI: 'GB', EL: 'GR' }

const hasRules = (country: string): country is CountryWithRules => country in rules
const bare = (typed: string) => typed.toUpperCase().replace(/[\s./-]/g, '')

/** Whether the EU's register could know this id: those of its members, and of Northern Ireland (`XI`). */
export function isInEuRegister(taxId: string): boolean {
  const prefix = taxId.slice(0, 2)
  return prefix === 'XI' || prefix === 'EL' || (hasRules(prefix) && !['GB', 'CH', 'NO', 'GR'].includes(prefix))
}

/**
 * A country's VAT id with its prefix, however it was typed; undefined when it does not fit. Countries without rules here
 * take 2–32 letters, digits and signs.
 */
export function readTaxId(country: string, typed: string): string | undefined {
  const text = bare(typed)
  const rule = ruled[country] ?? country
  if (!hasRules(rule)) return /^[\p{L}\p{N} ./&-]{2,32}$/u.test(typed.trim()) ? typed.trim() : undefined
  const own = prefixes[country] ?? country
  // Northern Ireland's companies have British numbers with a prefix of their own.
  const prefix = country === 'GB' && text.startsWith('XI') ? 'XI' : own
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : text.startsWith(rule) ? text.slice(2) : text
  const asked = prefix === 'XI' ? 'GB' : prefix
  // Nothing but zeros passes most check digits, and is nobody's.
  if (!/[1-9]/.test(number)) return undefined
  return checkVAT(`${asked}${number}`, [rules[rule]]).isValid ? `${prefix}${number}` : undefined
}

/** A Polish NIP as ten digits; undefined when its check digit is wrong. */
export function readNip(typed: string): string | undefined {
  return readTaxId('PL', typed)?.slice(2)
}
