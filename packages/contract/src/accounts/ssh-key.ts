/** SSH keys of an account, for SFTP. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const sshKeyLimits = { name: 64, perUser: 20, text: 16_384 } as const
export const sshKeyAlgorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const

const name = z.string().trim().min(1, 'required').max(sshKeyLimits.name)
/** A line as `ssh-keygen` writes it into a `.pub` file. A private key is refused before it goes anywhere. */
const publicKey = z
  .string()
  .trim()
  .min(1, 'required')
  .max(sshKeyLimits.text)
  .refine((text) => !text.includes('PRIVATE KEY') && !text.startsWith('PuTTY-User-Key-File'), {
    message: 'ssh_private_key',
    abort: true,
  })
  .refine((text) => readSshKey(text) !== undefined, 'ssh_key')

export const createSshKeyBody = z.object({ name, public_key: publicKey })

export const sshKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  algorithm: z.string(),
  /** As OpenSSH shows it: `SHA256:…`. */
  fingerprint: z.string(),
  created_at: timeSchema,
  /** To the minute. */
  last_used_at: timeSchema.nullable(),
  last_used_ip: z.string().nullable(),
})
export type SshKey = z.infer<typeof sshKeySchema>

/** Shorter ones are not safe any more. */
const leastRsaBits = 2048

/**
 * Reads a line of the form `algorithm base64 comment` (`man 8 sshd`, AUTHORIZED_KEYS, without options).
 * @returns undefined for what is none, or no key that we take
 */
export function readSshKey(line: string): { algorithm: string; bytes: Uint8Array; comment: string } | undefined {
  const [, algorithm = '', base64 = '', comment = ''] =
    /^([a-z0-9-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^\r\n]*))?$/.exec(line.trim()) ?? []
  if (!(sshKeyAlgorithms as readonly string[]).includes(algorithm)) return undefined
  const bytes = decode(base64)
  const parts = bytes && readParts(bytes)
  if (bytes === undefined || parts === undefined) return undefined
  const [first, ...rest] = parts
  if (first === undefined || new TextDecoder().decode(first) !== algorithm) return undefined
  return isWhole(algorithm, rest) ? { algorithm, bytes, comment: comment.trim() } : undefined
}

function decode(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Strings of RFC 4251, each behind its length. */
function readParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + view.getUint32(at)
    if (end > bytes.length) return undefined
    parts.push(bytes.subarray(at + 4, end))
    at = end
  }
  return parts
}

const pointBytes: Record<string, number> = { nistp256: 65, nistp384: 97, nistp521: 133 }

function isWhole(algorithm: string, [one, two, ...more]: Uint8Array[]): boolean {
  if (one === undefined || more.length > 0) return false
  if (algorithm === 'ssh-ed25519') return two === undefined && one.length === 32
  if (two === undefined) return false
  if (algorithm === 'ssh-rsa') return (two.length - (two[0] === 0 ? 1 : 0)) * 8 >= leastRsaBits && two.length <= 2049
  const curve = algorithm.slice('ecdsa-sha2-'.length)
  return new TextDecoder().decode(one) === curve && two.length === pointBytes[curve] && two[0] === 4
}
