/** What the operator lets servers reach, and by whom they have names resolved. */
import { readFileSync } from 'node:fs'
import { familyOf, isRefused } from './ranges.ts'

export type NetworkPolicy = {
  internet: boolean
  /** Addresses or ranges that may be reached although they are not on the internet. */
  reachable: string[]
  /** Servers of DNS; asked in this order. */
  resolvers: string[]
  /** Ports that servers may have beside the game's own; who leads packets there decides which. */
  extraPorts?: { first: number; last: number } | undefined
}

/** Where the machine's own resolver tells whom it asks itself. */
const RESOLVER_FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']
const MOST_RESOLVERS = 3

/**
 * @param resolvers of the operator; otherwise the machine's, as far as they are not the machine itself
 * @throws Error for what is no address
 */
export function createPolicy(options: NetworkPolicy, resolverFiles = RESOLVER_FILES): NetworkPolicy {
  for (const range of [...options.reachable, ...options.resolvers])
    if (familyOf(range) === undefined) throw new Error(`${range} is neither an address nor a range of addresses`)
  const resolvers = options.resolvers.length > 0 ? options.resolvers : findResolvers(resolverFiles)
  return { ...options, resolvers: resolvers.slice(0, MOST_RESOLVERS) }
}

function findResolvers(files: string[]): string[] {
  for (const file of files) {
    const found = readResolvers(file).filter((address) => !/^127\.|^::1$|%/.test(address))
    if (found.length > 0) return found
  }
  return []
}

function readResolvers(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').matchAll(/^nameserver\s+(\S+)/gm)
    return [...lines].map(([, address]) => address as string).filter((address) => familyOf(address) !== undefined)
  } catch {
    return []
  }
}

/** Why no server can have a name resolved; undefined where they can, or are not to reach the internet anyway. */
export const findResolverFault = ({ resolvers, internet }: NetworkPolicy): string | undefined =>
  internet && resolvers.length === 0
    ? 'servers resolve no names: whom this machine asks for them is the machine itself, which no server reaches; ' +
      'name others in SERVER_DNS'
    : undefined

export const resolverFile = ({ resolvers }: NetworkPolicy) =>
  resolvers.map((address) => `nameserver ${address}\n`).join('') + 'options timeout:2 attempts:2\n'

/** Resolvers that rules have to let through on port 53. */
export const privateResolvers = ({ resolvers, internet }: NetworkPolicy) =>
  resolvers.filter((address) => internet && isRefused(address))
