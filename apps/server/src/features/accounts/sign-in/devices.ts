/**
 * Browsers that an account's owner has signed in with. A long-lived cookie names the browser; the database keeps its
 * hash. A login from a browser that is new to an account is told to its owner; guessing elsewhere never locks a known
 * one out.
 */
import { createHash } from 'node:crypto'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { countryOf, findCountry } from '#src/features/ground/location/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import type { UserRow } from '#src/features/accounts/users/service.ts'
import { isDeviceOf, noteDevice } from './session-repo.ts'

/** Where a request comes from. `device` names the browser, whoever uses it; `isNamedNow`: since this request only. */
export type Device = { ip: string; userAgent: string | undefined; device: string; isNamedNow: boolean }

const hashOf = (device: string) => createHash('sha256').update(device).digest()

/** Where a request comes from, as the audit log tells it. */
export const placeOf = (
  { settings }: Pick<Context, 'settings'>,
  { ip, userAgent }: Pick<Device, 'ip' | 'userAgent'>,
) => ({
  ip,
  country_code: findCountry(ip, settings) ?? null,
  user_agent: userAgent?.slice(0, 512) ?? null,
})

/** Notes a login in the caller's transaction, and tells the owner when the browser is new to the account. */
export async function noteLogin(context: Context, trx: Transaction, user: UserRow, device: Device): Promise<void> {
  if (!(await noteDevice(trx, user.id, hashOf(device.device)))) return
  await recordUserEvent(trx, user.id, {
    action: 'USER_NEW_DEVICE',
    level: eventLevels.WARN,
    data: placeOf(context, device),
  })
  await notify(trx, {
    userId: user.id,
    kind: 'NEW_DEVICE',
    fields: {
      ip: device.ip,
      country: countryOf(device.ip, context.settings),
      browser: device.userAgent?.slice(0, 200) ?? '',
    },
  })
}

/** Whether the owner of the account has signed in with this browser before. */
export async function isKnownDevice(
  { db }: Pick<Context, 'db'>,
  login: string,
  { device, isNamedNow }: Device,
): Promise<boolean> {
  return !isNamedNow && isDeviceOf(db, login, hashOf(device))
}

/** A name of the browser for the counters of failed logins. */
export const deviceSubject = ({ device }: Device) => `device:${hashOf(device).toString('base64url')}`
