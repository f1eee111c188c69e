/** What a cluster of containers is made of. */
import type { Logger } from '@wakestone/kit/logger'
import type { NetworkPolicy } from '../process/network/policy.ts'
import type { Wall } from '../process/walls.ts'

export type DockerHost = {
  /** Of a machine, for people. */
  name: string
  /** `unix:///run/docker.sock` or `tcp://host:2376`. */
  url: string
  /** The machine's address that gateways and the control plane reach; ports of servers are open there and nowhere else. */
  address: string
  /** Further addresses of the machine that no server may reach: its public ones. */
  refused: string[]
  tls?: { ca: string; cert: string; key: string } | undefined
}

export type DockerClusterOptions = {
  /** Of the cluster. */
  id: string
  hosts: DockerHost[]
  dataDir: string
  supervisorFile: string
  filesFile: string
  /** Walls that may be missing where a machine cannot give them. */
  mayMiss: readonly Wall[]
  network: NetworkPolicy
  publicKey: string
  /** The image of `npm run image:supervisor`, if it has another name. */
  image?: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}
