/** What second factors are checked with, kept so that the database alone gives nothing away. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import type { Context } from '#src/context.ts'

type WithSecrets = Pick<Context, 'secrets'>

const ivBytes = 12
const tagBytes = 16

function keyFor({ secrets }: WithSecrets, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secrets.factors, 'hex'), '', purpose, 32))
}

/** AES-256-GCM: initialisation vector, tag, text. It opens for the same user only. */
export function sealFor(context: WithSecrets, userId: string, plain: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(context, 'totp'), iv).setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** @throws when it was sealed for another user, with another key, or was changed. */
export function openFor(context: WithSecrets, userId: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFor(context, 'totp'), sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}

/** Nothing that is easily mistaken for another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLetters = 10

/** About 50 bits, in two groups. */
export function inventRecoveryCode(): string {
  const text = Array.from({ length: codeLetters }, () => letters.charAt(randomInt(letters.length))).join('')
  return `${text.slice(0, codeLetters / 2)}-${text.slice(codeLetters / 2)}`
}

/** However a code was typed, with or without its hyphen. */
export function hashRecoveryCode(context: WithSecrets, userId: string, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHmac('sha256', keyFor(context, 'recovery-codes')).update(`${userId}|${plain}`).digest()
}
