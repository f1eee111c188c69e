import type { Server } from '@wakestone/contract/servers/server'

/** Whether an address of the panel, `/s/{identity}`, is this server's: by its id or the first part of its name. */
export const isNamedBy = (server: Server, identity: string | undefined): boolean =>
  server.id === identity || server.address.split('.')[0] === identity
