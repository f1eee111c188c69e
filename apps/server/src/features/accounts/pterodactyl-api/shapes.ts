/** What Pterodactyl's client API answers with, made of what ours tells. */
import type { User } from '@wakestone/contract/accounts/user'
import { type Capabilities, hasCapability } from '@wakestone/contract/capabilities'
import type { Backup } from '@wakestone/contract/servers/backups'
import type { StatsHistory } from '@wakestone/contract/servers/history'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState, type PanelState } from '@wakestone/contract/states'

const mebibyte = 1024 ** 2

/** Their ids are numbers, which programs keep as such: one that a uuid always leads to. */
export const numberOf = (uuid: string) => Number.parseInt(uuid.replaceAll('-', '').slice(-7), 16)

export const identifierOf = ({ id }: Pick<Server, 'id'>) => id.slice(0, 8)

export const item = (object: string, attributes: object) => ({ object, attributes })
export const list = (data: object[]) => ({ object: 'list', data })

export function pageOf(all: readonly object[], { page, perPage, url }: { page: number; perPage: number; url: string }) {
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const data = all.slice((page - 1) * perPage, page * perPage)
  const links = page < pages ? { next: `${url}?page=${page + 1}` } : {}
  return {
    ...list([...data]),
    meta: {
      pagination: {
        total: all.length,
        count: data.length,
        per_page: perPage,
        current_page: page,
        total_pages: pages,
        links: page > 1 ? { ...links, previous: `${url}?page=${page - 1}` } : links,
      },
    },
  }
}

export const accountOf = (user: User) =>
  item('user', {
    id: numberOf(user.id),
    admin: false,
    username: user.username,
    email: user.email,
    first_name: user.username,
    last_name: '',
    language: user.language,
  })

type Place = { userId: string; sftp: { host: string; port: number } }

export function serverOf(server: Server, { userId, sftp }: Place) {
  const { limits, engine } = server.parameters
  const isInstalling = panelState(server.status) === 'preparing'
  return item('server', {
    server_owner: server.owner_id === userId,
    identifier: identifierOf(server),
    internal_id: numberOf(server.id),
    uuid: server.id,
    name: server.name,
    node: server.cluster_id,
    is_node_under_maintenance: false,
    sftp_details: { ip: sftp.host, port: sftp.port },
    description: '',
    limits: {
      memory: Math.round(limits.memory / mebibyte),
      swap: 0,
      disk: Math.round(limits.storage / mebibyte),
      io: 500,
      cpu: Math.round(limits.cpu * 100),
      threads: null,
      oom_disabled: false,
    },
    invocation: '',
    docker_image: engine,
    egg_features: [],
    feature_limits: {
      databases: (limits.mysql ?? 0) > 0 ? 1 : 0,
      allocations: 1 + (limits.ports ?? 0),
      backups: limits.backups?.manual ?? 0,
    },
    status: server.disabled ? 'suspended' : isInstalling ? 'installing' : null,
    is_suspended: server.disabled,
    is_installing: isInstalling,
    is_transferring: false,
    relationships: { allocations: list(allocationsOf(server)), variables: list([]) },
  })
}

const gamePort = 25565

/** Where players join it, then its further ports. */
function allocationsOf({ id, address, domains, cluster_ports }: Server) {
  const [host = '', port] = address.split(':')
  const own = { ip: host, ip_alias: domains[0]?.fqdn ?? host, port: Number(port ?? gamePort), is_default: true }
  const others = cluster_ports.map((taken) => ({ ip: host, ip_alias: host, port: taken.port, is_default: false }))
  return [own, ...others.filter((other) => other.port !== own.port)].map((allocation) =>
    item('allocation', { id: numberOf(id) * 8 + (allocation.port % 8), notes: null, ...allocation }),
  )
}

/** Rights as theirs are called, in their order. */
const permissions: readonly (readonly [right: string, names: readonly string[]])[] = [
  ['server.manage.read', ['websocket.connect']],
  ['server.manage.console', ['control.console']],
  ['server.manage.power', ['control.start', 'control.stop', 'control.restart']],
  [
    'server.manage',
    ['file.create', 'file.read', 'file.read-content', 'file.update', 'file.delete', 'file.archive', 'file.sftp'],
  ],
  ['server.manage', ['backup.create', 'backup.read', 'backup.delete', 'backup.download', 'backup.restore']],
]
export const permissionsOf = (held: Capabilities): string[] =>
  permissions.filter(([right]) => hasCapability(held, right)).flatMap(([, names]) => names)

/** Sleeping servers wake by themselves when somebody joins: to who watches them they are up. */
const states: Readonly<Record<PanelState, 'running' | 'starting' | 'stopping' | 'offline'>> = {
  preparing: 'offline',
  starting: 'starting',
  waking: 'starting',
  running: 'running',
  idle: 'running',
  sleeping: 'offline',
  stopping: 'stopping',
  stopped: 'offline',
  crashed: 'offline',
  expired: 'offline',
  failed: 'offline',
}
/** How old what was measured last may be. */
const freshMilliseconds = 3 * 60_000

export function statsOf(server: Server, history: StatsHistory, now: number) {
  const state = states[panelState(server.status)]
  const last = history.points.at(-1)
  const isFresh = last !== undefined && now - Date.parse(last.at) < freshMilliseconds && state !== 'offline'
  const launched = server.status.launched
  return item('stats', {
    current_state: state,
    is_suspended: server.disabled,
    resources: {
      memory_bytes: (isFresh ? last.memory : null) ?? 0,
      cpu_absolute: Math.round(((isFresh ? last.cpu : null) ?? 0) * 100_000) / 1000,
      disk_bytes: last?.disk ?? 0,
      // Ours are by the second.
      network_rx_bytes: (isFresh ? last.network_in : null) ?? 0,
      network_tx_bytes: (isFresh ? last.network_out : null) ?? 0,
      uptime: state === 'running' && launched !== null ? Math.max(0, now - Date.parse(launched)) : 0,
    },
  })
}

/** `[name, type, size, mtime, mode, target?]` of our list. */
export type FileLine = [name: string, type: string, size: number, mtime: number, mode: number, target?: string]

export function fileOf([name, type, size, mtime, mode]: FileLine) {
  const at = new Date(mtime).toISOString().replace(/\.\d{3}Z$/, '+00:00')
  return item('file_object', {
    name,
    mode: modeText(type, mode),
    mode_bits: (mode & 0o777).toString(8),
    size,
    is_file: type !== 'folder',
    is_symlink: type === 'link',
    mimetype: type === 'folder' ? 'inode/directory' : mimeOf(name),
    created_at: at,
    modified_at: at,
  })
}

function modeText(type: string, mode: number): string {
  const letters = 'rwxrwxrwx'
  const bits = [...letters].map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-'))
  return `${type === 'folder' ? 'd' : type === 'link' ? 'L' : '-'}${bits.join('')}`
}

const texts = /\.(txt|log|ya?ml|json5?|properties|toml|conf|cfg|ini|md|sh|xml|html|css|js|csv|lang|mcmeta)$/i
const mimeOf = (name: string) =>
  texts.test(name)
    ? 'text/plain; charset=utf-8'
    : /\.(jar|zip)$/i.test(name)
      ? 'application/zip'
      : 'application/octet-stream'

export const backupOf = (backup: Backup) =>
  item('backup', {
    uuid: backup.id,
    is_successful: !backup.cannot_be_restored,
    is_locked: backup.pinned,
    name: backup.name ?? `Backup at ${backup.created_at}`,
    ignored_files: [],
    checksum: `restic:${backup.details.snapshot_id}`,
    bytes: backup.details.total_bytes_processed,
    created_at: backup.created_at,
    completed_at: backup.created_at,
  })

/** One that was just begun: it gets its id once it is made. */
export const begunBackupOf = ({ id, created_at }: { id: string; created_at: string }, name: string | null) =>
  item('backup', {
    uuid: id,
    is_successful: false,
    is_locked: false,
    name: name ?? `Backup at ${created_at}`,
    ignored_files: [],
    checksum: null,
    bytes: 0,
    created_at,
    completed_at: null,
  })
