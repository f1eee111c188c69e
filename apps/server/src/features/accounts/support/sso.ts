/** The way to support: a desk of the operator's elsewhere, signed in as Zendesk and its like have it, or our own pages. */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { z } from 'zod'
import type { supportDoorSchema } from '@wakestone/contract/accounts/support'
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { findAccountEmail } from './repo.ts'

/** A desk takes one for a few minutes after it was made. */
const goodSeconds = 180

export async function openDoor(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  user: { userId: string; username: string; language: Language; emailVerified: boolean },
): Promise<z.input<typeof supportDoorSchema>> {
  const { SUPPORT_SSO_URL: url, SUPPORT_SSO_SECRET: secret } = settings
  const email = await findAccountEmail(db, user.userId)
  const own = { url: `${publicUrl(settings)}/${user.language}/account/support`, token: null }
  // A desk knows people by their address: nobody is signed in there by one that they only claim.
  if (url === undefined || secret === undefined || email === undefined || !user.emailVerified) return own
  const token = await new SignJWT({ name: user.username, email, external_id: user.userId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${goodSeconds}s`)
    .setJti(randomUUID())
    .sign(new TextEncoder().encode(secret))
  return { url, token }
}
