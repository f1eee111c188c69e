/** What second factors are checked with, kept so that the database alone gives nothing away. */
import { createHmac, randomInt } from 'node:crypto'
import { keyFor, seal, unseal } from '@wakestone/kit/seal'
import type { Context } from '#src/context.ts'

type WithSecrets = Pick<Context, 'secrets'>

/** Opens for the same user only. */
export const sealFor = ({ secrets }: WithSecrets, userId: string, plain: Buffer): Buffer =>
  seal(keyFor(secrets.factors, 'totp'), userId, plain)

/** @throws when it was sealed for another user, with another key, or was changed. */
export const openFor = ({ secrets }: WithSecrets, userId: string, sealed: Buffer): Buffer =>
  unseal(keyFor(secrets.factors, 'totp'), userId, sealed)

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
  return createHmac('sha256', keyFor(context.secrets.factors, 'recovery-codes')).update(`${userId}|${plain}`).digest()
}
