/** What all of our containers have in common: as little as can be. */
import type { Workload } from '../cluster.ts'

const MIB = 1024 ** 2
/** For the supervisor, whose memory is not the customer's, and for MySQL. */
const SUPERVISOR_BYTES = 96 * MIB
const MYSQL_BYTES = 160 * MIB
export const MOST_PROCESSES = 512
const BOX_PROCESSES = 256

/** What lets the supervisor do all with the server's files, start the game as another user, and end it. */
export const SUPERVISOR_CAPABILITIES = ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER']
/** Folders in memory, by their options. */
const OWN = { '/run/wakestone': 'rw,nosuid,nodev,noexec,size=2m,mode=755' }
const TMP = { '/tmp': 'rw,nosuid,nodev,size=256m,mode=1777' }

export type Mount = { source: string; target: string; write: boolean; kind?: 'volume' | 'bind' }

type Container = {
  image: string
  labels: Record<string, string>
  env: Record<string, string>
  command: string[]
  network: string
  capabilities: string[]
  memoryBytes: number
  /** Cores; as many as there are where it is missing. */
  cpu?: number
  processes?: number
  /** Of the processor's time, when there is not enough for all. */
  weight?: number
  /** Most bytes in one file. */
  fileBytes?: number
  mounts?: Mount[]
  scratch?: boolean
  /** Whether it is written to. */
  input?: boolean
  ports?: { address: string; port: number; protocols: ('tcp' | 'udp')[] }[]
  dns?: string[]
  sysctls?: Record<string, string>
}

/** As an engine wants to be asked. */
export function describeContainer(container: Container): object {
  const { memoryBytes, cpu, processes = BOX_PROCESSES, weight, fileBytes, mounts = [], ports = [], input } = container
  const keys = ports.flatMap(({ address, port, protocols }) =>
    protocols.map((protocol) => [`${port}/${protocol}`, [{ HostIp: address, HostPort: String(port) }]] as const),
  )
  const volumes = mounts.filter(({ kind = 'volume' }) => kind === 'volume')
  const binds = mounts.filter(({ kind }) => kind === 'bind')
  return {
    Image: container.image,
    Labels: container.labels,
    Env: Object.entries(container.env).map(([name, value]) => `${name}=${value}`),
    Cmd: container.command,
    Entrypoint: [],
    User: '0:0',
    WorkingDir: '/',
    Hostname: container.network.includes(':') || container.network === 'host' ? undefined : 'server',
    Tty: false,
    OpenStdin: input === true,
    StdinOnce: input === true,
    AttachStdin: input === true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: false,
    ExposedPorts: Object.fromEntries(keys.map(([key]) => [key, {}])),
    HostConfig: {
      NetworkMode: container.network,
      PortBindings: Object.fromEntries(keys),
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      CapAdd: container.capabilities,
      SecurityOpt: ['no-new-privileges:true'],
      Privileged: false,
      Memory: memoryBytes,
      MemorySwap: memoryBytes,
      ...(cpu !== undefined && { NanoCpus: Math.max(1e7, Math.round(cpu * 1e9)) }),
      ...(weight !== undefined && { CpuShares: Math.round(1024 * weight) }),
      PidsLimit: processes,
      OomScoreAdj: 500,
      // Named, or an engine that lacks a right of root's cannot start what it would give more.
      Ulimits: [
        { Name: 'nofile', Soft: 16_384, Hard: 16_384 },
        { Name: 'nproc', Soft: 30_000, Hard: 30_000 },
        { Name: 'core', Soft: 0, Hard: 0 },
        ...(fileBytes === undefined ? [] : [{ Name: 'fsize', Soft: fileBytes, Hard: fileBytes }]),
      ],
      Tmpfs: {
        ...OWN,
        ...(container.scratch === false ? {} : TMP),
      },
      Mounts: volumes.map(({ source, target, write }) => ({
        Type: 'volume',
        Source: source,
        Target: target,
        ReadOnly: !write,
        VolumeOptions: { NoCopy: true },
      })),
      Binds: binds.map(({ source, target, write }) => `${source}:${target}:${write ? 'rw' : 'ro'}`),
      ...(container.dns !== undefined && container.dns.length > 0 && { Dns: container.dns }),
      ...(container.sysctls && { Sysctls: container.sysctls }),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m' } },
      RestartPolicy: { Name: 'no' },
      Init: false,
    },
  }
}

export const memoryOf = (limits: Workload['limits']) =>
  limits.memoryBytes + SUPERVISOR_BYTES + (limits.mysqlBytes ? MYSQL_BYTES : 0)
