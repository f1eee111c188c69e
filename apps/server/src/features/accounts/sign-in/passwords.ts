/**
 * Passwords: argon2id, and a refusal of those that everybody tries first. Hashes that an import has brought along are
 * bcrypt's, until their owners sign in.
 */
import { hash, verify } from '@node-rs/argon2'
import { DomainError } from '@wakestone/contract/errors'
import { isForeignHash, isForeignPasswordRight } from './foreign-hashes.ts'

/** Frequent ones of ten characters and more; shorter ones fail the length rule anyway. */
const common = new Set(
  (
    '1234567890 12345678910 0123456789 0987654321 1111111111 0000000000 1q2w3e4r5t 1q2w3e4r5t6y qwertyuiop qwerty12345 qwerty123456 ' +
    'password12 password123 password1234 password12345 password123! passwordpassword iloveyou123 iloveyou12 abcdefghij abc1234567 ' +
    'abcd123456 abc123abc123 q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 zaq1zaq1zaq1 1qaz2wsx3edc qazwsxedcrfv asdfghjkl1 asdfghjkl123 ' +
    'minecraft1 minecraft12 minecraft123 minecraft1234 minecraftminecraft haslo12345 haslo123456 haslohaslo passwort123 passwort12 ' +
    'passwortpasswort hallo12345 administrator admin12345 admin123456 welcome123 welcome1234 letmein123 letmein1234 football123 ' +
    'baseball123 superman123 princess123 sunshine123 changeme123 changemeplease trustno1trustno1 dragon12345 monkey12345 master12345 ' +
    '9876543210 1029384756 1122334455 11223344556677 123456789a 123456789q a123456789 123123123123 987654321a 12345qwert qwert12345'
  ).split(' '),
)

export function refuseCommonPassword(password: string): void {
  const plain = password.toLowerCase()
  if (common.has(plain) || new Set(plain).size < 4)
    throw new DomainError('invalid_request', { password: 'password_common' })
}

/** argon2id with the library's defaults: 19 MiB, two passes. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

let decoy: Promise<string> | undefined

/** Takes the same time whether the account exists, has no password, or has another one. */
export async function isPasswordRight(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password')
  const foreign = isForeignHash(passwordHash) ? passwordHash : undefined
  const right = await verify(foreign === undefined ? (passwordHash ?? (await decoy)) : await decoy, password)
  if (foreign !== undefined) return isForeignPasswordRight(password, foreign)
  return right && passwordHash != null
}
