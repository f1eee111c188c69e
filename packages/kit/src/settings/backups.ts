/** Backups of servers: where they are kept, and with what. */
import { z } from 'zod'
import { count, flag, listOf, text, type Setting } from './setting.ts'

export const backups = {
  BACKUP_STORAGE: {
    group: 'Backups',
    about:
      'Where repositories of new servers are created, one for each: a folder, `sftp:user@host:/path`, `rest:https://host:8000` or `s3:https://host/bucket`. Unset: `DATA_DIR/backups`. Existing ones stay where they are.',
    takes: 'an absolute path, or an address as restic takes it',
    schema: z
      .string()
      .regex(/^(?:\/.+|sftp:.+|rest:https?:\/\/.+|s3:.+)$/)
      .optional(),
  },
  BACKUP_STORAGE_USER: {
    group: 'Backups',
    about: 'User of a rest-server, or access key of an S3 storage.',
    takes: 'text',
    schema: text.optional(),
  },
  BACKUP_STORAGE_PASSWORD: {
    group: 'Backups',
    about: 'Password of that user, or secret key.',
    takes: 'text',
    schema: text.optional(),
    secret: true,
  },
  BACKUP_STORAGE_OPTIONS: {
    group: 'Backups',
    about: 'Storage options as restic takes them with `-o`, comma-separated, such as `s3.bucket-lookup=path`.',
    takes: '`name=value`',
    schema: listOf(z.string().regex(/^[\w.-]+=.+$/)),
    fallback: '',
  },
  BACKUP_SSH_KEY_FILE: {
    group: 'Backups',
    about: 'Private key for SFTP, without a passphrase.',
    takes: 'a path',
    schema: text.optional(),
  },
  BACKUP_KNOWN_HOSTS_FILE: {
    group: 'Backups',
    about: 'Known keys of the SFTP host, as in `known_hosts`. Required for SFTP.',
    takes: 'a path',
    schema: text.optional(),
  },
  BACKUP_APPEND_ONLY: {
    group: 'Backups',
    about:
      'The storage does not allow anything to be removed: expired backups disappear from the lists, and whoever runs the storage removes them there.',
    takes: '`0` or `1`',
    schema: flag,
    fallback: '0',
  },
  BACKUPS_AT_ONCE: {
    group: 'Backups',
    about: 'Automatic backups that run at the same time. Backups that someone asks for do not wait.',
    takes: 'a number',
    schema: z.coerce.number().int().min(1).max(100),
    fallback: '2',
  },
  LIMIT_MANUAL_BACKUPS: {
    group: 'Limits',
    about: 'Backups of one server that can be requested in 10 minutes.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '2',
  },
  LIMIT_BACKUP_RESTORES: {
    group: 'Limits',
    about: 'Restores of one server started per hour.',
    takes: 'a number, 0 for no limit',
    schema: count,
    fallback: '10',
  },
  RESTIC_PATH: {
    group: 'Backups',
    about: 'The restic program, 0.17 or newer. Unset: the one that set-up installed, or the system’s.',
    takes: 'a path or name',
    schema: text.optional(),
  },
} as const satisfies Record<string, Setting>
