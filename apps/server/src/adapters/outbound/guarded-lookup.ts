import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** An address that we do not call. */
export class ForbiddenTarget extends Error {}

/** Which addresses may be called, such as `isPublicAddress`. */
export type MayCall = (address: string) => boolean

/**
 * Finds addresses as they are connected to, so that a name which resolves differently the second time gains nothing. One
 * address that may not be called forbids all of them.
 */
export const guardLookup =
  (mayCall: MayCall): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      if (addresses.length === 0 || !addresses.every(({ address }) => mayCall(address)))
        return callback(new ForbiddenTarget(`${hostname} leads to an address that is not public`), '', 0)
      if (options.all === true) return callback(null, addresses)
      callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }

/** Whether a host of a URL is an address by itself, and one that may not be called: those are not looked up. */
export function isForbiddenHost({ hostname }: Pick<URL, 'hostname'>, mayCall: MayCall): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && !mayCall(host)
}
