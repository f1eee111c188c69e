/** What the SFTP door is told; plain data, as it goes to a thread of its own. */
export type SftpOptions = {
  /** Unset: all addresses, IPv4 and IPv6. */
  host?: string | undefined
  port: number
  /** Listen beside another gateway, which is about to end. */
  reusePort?: boolean
  apiUrl: string
  /** By which the API knows gateways. */
  token: string
  /** From which the host keys follow, hex. */
  hostSecret: string
  connectionsPerAddress: number
  /** New connections per address in ten seconds. */
  connectionRate: number
  logLevel: string
}
export type SftpFigures = { connections: number; sessions: number }
export type FromSftp = { type: 'listening'; port: number } | ({ type: 'figures' } & SftpFigures)
