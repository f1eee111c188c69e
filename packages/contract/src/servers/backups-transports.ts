/** Bytes out of backups. They are a customer's: saved by a browser, never shown as a page of ours. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import type { TransportSpec } from '../transport.ts'
import { backupPathSchema } from './backups.ts'

/** A file as it is; a folder, or all of it, as an archive that is made while it goes. */
export const backupContent = {
  kind: 'bytes',
  method: 'GET',
  path: '/api/v1/servers/:id/backups/:snapshotId/content',
  tag: 'Backups',
  summary: 'Download a file from a backup, or a folder as a zip',
  access: { kind: 'server', param: 'id', capability: 'server.manage' },
  keyScope: 'access',
  params: z.object({ id: idSchema, snapshotId: z.string().regex(/^[0-9a-f-]{8,64}$/) }),
  query: z.object({ path: backupPathSchema.default('') }),
  type: 'application/octet-stream',
  errors: [
    'server_id_not_found',
    'insufficient_capabilities',
    'no_server_backup_found',
    'backup_deleted',
    'cannot_be_restored',
    'no_backup_repository_backup',
    'file_does_not_exist',
    'too_many_requests',
  ],
} as const satisfies TransportSpec
