/** A network of a server's own: what every means of making one can do. */

/** What was made for one server, as it is recorded with its placement. */
export type ServerNetwork = {
  means: NetworkMeans
  /** Where the game is reached from this machine. */
  host: string
}
/** In the order in which they are tried. */
export type NetworkMeans = 'veth' | 'pasta' | 'slirp4netns'

export type PreparedNetwork = ServerNetwork & {
  /** Runs a command within the network. */
  enter: string[]
  /** Shell commands that have to succeed within, before anything of the server's runs. */
  guard?: string
  /** Joins the network of this process, which waits, to the world. */
  connect?: (pid: number) => Promise<void>
}

export type NetworkDriver = {
  means: NetworkMeans
  /** Makes the network, whatever is left of an earlier one. Nothing of the server's may run. */
  prepare(serverId: string, port: number): Promise<PreparedNetwork>
  /** Removes what `prepare` has made; nothing where there is nothing. */
  remove(serverId: string): Promise<void>
  /** Servers that have something here to remove. */
  list(): Promise<string[]>
}
