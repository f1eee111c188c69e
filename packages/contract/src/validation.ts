/** Rules for what people type; forms and API share them. Numbers from the product rules. */
import { z } from 'zod'

export const usernameSchema = z.string().regex(/^[A-Za-z0-9_]{3,24}$/, 'username')
export const passwordSchema = z.string().min(10, 'password_too_short').max(128, 'password_too_long')
export const emailSchema = z.email('email').max(254, 'email').toLowerCase()
export const serverNameSchema = z
  .string()
  .trim()
  .min(3, 'server_name')
  .max(32, 'server_name')
  .regex(/^[^\p{C}]*$/u, 'server_name')
export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'required')
  .max(64, 'passkey_name')
  .regex(/^[^\p{C}]*$/u, 'passkey_name')

/** 3–32 of a–z, 0–9 and hyphen, no hyphen at an edge, none doubled. */
export const subdomainSchema = z.string().regex(/^(?!.*--)[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/, 'subdomain')

/** No name may hold one of these. */
export const reservedFragments = ['?', 'pending', 'csrv_www', 'mapview', 'wakestone', 'www'] as const
/** Names that an operator's own hosts have, or that mail and certificates trust; also with a number, such as `ns1`. */
const reservedNames = new Set(
  (
    'abuse account accounts admin administrator admins analytics api app assets auth autoconfig autodiscover backup backups ' +
    'billing blog cdn cloud contact cpanel dashboard database db dns docs email ftp gateway ' +
    'git help host hostmaster hosting imap invoice invoices legal localhost login mail mailer manage marketplace ' +
    'metrics monitor mta mx mysql newsletter noc noreply no-reply ns oauth office panel pay ' +
    'payment payments phpmyadmin pop pop3 postgres postmaster privacy proxy register secure security sftp ' +
    'signin signup smtp spf ssh ssl sso staff staging static stats status support sysadmin system tls ' +
    'vpn web webmail webmaster webhook webhooks wpad'
  ).split(' '),
)

const lookAlikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', i: 'l' }

/** What a name looks like at a glance: two that are told apart only by `0` and `o`, `1`, `i` and `l`, `rn` and `m` have one. */
export const lookOf = (subdomain: string) =>
  subdomain
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[0134578i]/g, (letter) => lookAlikes[letter]!)

const plainLook = (name: string) => lookOf(name.replaceAll('-', ''))
const reservedLooks = new Set([...reservedNames].map(plainLook))
/** Short ones look like parts of ordinary words. */
const brandLooks = reservedFragments.filter((fragment) => fragment.length >= 5).map(plainLook)

/**
 * Whether nobody may have this name, or it looks like one of those.
 * @param brands names of the operator's own that no name may hold either
 */
export function isReservedSubdomain(subdomain: string, brands: readonly string[] = []): boolean {
  const look = plainLook(subdomain)
  return (
    reservedFragments.some((fragment) => subdomain.includes(fragment)) ||
    reservedNames.has(subdomain.replace(/-?\d+$/, '')) ||
    reservedLooks.has(look) ||
    [...brandLooks, ...brands.map(plainLook)].some((brand) => look.includes(brand))
  )
}

/** A text as words of `a-z0-9` joined by `-`, no longer than `longest`: Polish and German letters are transliterated. */
export function slugFrom(text: string, longest: number): string {
  return text
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
}

/** The name as an address: `My Server!` → `my-server`. */
export const subdomainFromName = (name: string) => slugFrom(name, 32)
