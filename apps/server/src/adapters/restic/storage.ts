/** Where a repository is, and what a box needs to get there. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Settings } from '@wakestone/kit/settings'
import type { Task } from '#src/adapters/clusters/cluster.ts'

export type StorageSettings = Pick<
  Settings,
  | 'DATA_DIR'
  | 'BACKUP_STORAGE'
  | 'BACKUP_STORAGE_USER'
  | 'BACKUP_STORAGE_PASSWORD'
  | 'BACKUP_STORAGE_OPTIONS'
  | 'BACKUP_SSH_KEY_FILE'
  | 'BACKUP_KNOWN_HOSTS_FILE'
  | 'BACKUP_APPEND_ONLY'
>

/** What of a task is the storage's. */
export type Access = Required<Pick<Task, 'folders' | 'env' | 'network'>> & {
  /** Arguments before all others. */
  options: string[]
  /** A file of secrets that is written inside before restic begins. */
  files: Record<string, string>
}

/** Of a new repository; it is kept with the server, since the settings may change. */
export function locationFor({ DATA_DIR, BACKUP_STORAGE }: StorageSettings, serverId: string): string {
  const base = (BACKUP_STORAGE ?? resolve(DATA_DIR, 'backups')).replace(/\/+$/, '')
  return base.startsWith('rest:') ? `${base}/${serverId}/` : `${base}/${serverId}`
}

/** Whether it is a folder of this machine, which nobody else writes to. */
export const isFolder = (location: string) => location.startsWith('/')

/** @param writes whether something may be changed in it. */
export async function accessTo(
  settings: StorageSettings,
  { serverId, location }: { serverId: string; location: string },
  writes: boolean,
): Promise<Access> {
  if (isFolder(location))
    return {
      folders: { repository: { host: location, write: writes } },
      env: { RESTIC_REPOSITORY: '/mnt/repository' },
      network: 'none',
      options: ['--no-cache'],
      files: {},
    }
  const cache = join(resolve(settings.DATA_DIR), 'cache', 'backups', serverId)
  const { BACKUP_STORAGE_USER: user, BACKUP_STORAGE_PASSWORD: password } = settings
  const names = location.startsWith('s3:')
    ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    : ['RESTIC_REST_USERNAME', 'RESTIC_REST_PASSWORD']
  const secrets = location.startsWith('sftp:')
    ? []
    : [user, password].flatMap((value, index) => (value === undefined ? [] : [[names[index] as string, value]]))
  return {
    folders: { cache: { host: cache, write: true, mayBeEmpty: true } },
    env: { RESTIC_REPOSITORY: location, RESTIC_CACHE_DIR: '/mnt/cache', ...Object.fromEntries(secrets) },
    network: 'host',
    options: settings.BACKUP_STORAGE_OPTIONS.flatMap((option) => ['-o', option]),
    files: location.startsWith('sftp:') ? await sshFiles(settings) : {},
  }
}

/** How SFTP is spoken: nobody is asked, and only a host that is known is spoken to. */
async function sshFiles({ BACKUP_SSH_KEY_FILE, BACKUP_KNOWN_HOSTS_FILE }: StorageSettings) {
  if (BACKUP_SSH_KEY_FILE === undefined || BACKUP_KNOWN_HOSTS_FILE === undefined)
    throw new Error('backups by SFTP need BACKUP_SSH_KEY_FILE and BACKUP_KNOWN_HOSTS_FILE')
  return {
    key: await readFile(BACKUP_SSH_KEY_FILE, 'utf8'),
    known_hosts: await readFile(BACKUP_KNOWN_HOSTS_FILE, 'utf8'),
  }
}
