/** Who may come in at one port: so many from an address, from a network, and in all. */
import { createAddressLimits, networkKey } from '../address-limits.ts'

export type PortLimits = { perAddress: number; perNetwork: number; inAll: number }

export type Guests = {
  /** Counts somebody in, or says why not. Each one admitted must be released once. */
  admit(address: string): string | undefined
  release(address: string): void
  close(): void
}

/** New connections in ten seconds, in places: programs that look at many things at once come with several. */
const RATE = 4
/** Addresses of datagrams are easily forged. */
const MOST_REMEMBERED = 20_000

export function createGuests({ perAddress, perNetwork }: PortLimits): Guests {
  const remembered = MOST_REMEMBERED
  const addresses = createAddressLimits({ connections: perAddress, rate: RATE * perAddress, remembered })
  const networks = createAddressLimits({
    connections: perNetwork,
    rate: RATE * perNetwork,
    keyOf: networkKey,
    remembered,
  })
  return {
    admit(address) {
      const refusal = addresses.admit(address)
      if (refusal) return refusal
      const ofNetwork = networks.admit(address)
      if (ofNetwork) addresses.release(address)
      return ofNetwork && `network_${ofNetwork}`
    },
    release(address) {
      addresses.release(address)
      networks.release(address)
    },
    close() {
      addresses.close()
      networks.close()
    },
  }
}
