import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  backupChangesSchema,
  backupFolderSchema,
  backupKeySchema,
  backupPathSchema,
  backupPlanSchema,
  backupPlayerSchema,
  backupSchema,
  backupWorldsSchema,
  changeBackupBody,
  createBackupBody,
  restoreBackupBody,
  undoRestoreBody,
} from './backups.ts'
import { allBusyCodes, operationSchema } from './operations.ts'

const tag = 'Backups'
const params = z.object({ id: idSchema })
/** By the id of the backup, or of its snapshot in the repository. */
const snapshotId = z.string().regex(/^[0-9a-f-]{8,64}$/)
const one = z.object({ id: idSchema, snapshotId })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const found = [...hidden, 'no_server_backup_found', 'backup_deleted'] as const
const readable = [...found, 'cannot_be_restored', 'no_backup_repository_backup', 'too_many_requests'] as const
const mayRun = ['server_is_expired', 'server_is_disabled', 'server_is_preparing'] as const

export const listBackups = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups',
  tag,
  summary: 'List a server’s backups, newest first, including deleted ones that can still be recovered',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: z.array(backupSchema) },
  errors: hidden,
})
export const getBackupPlan = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups/plan',
  tag,
  summary: 'Get how often a server is backed up automatically, how many backups are kept, and how the last one went',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: backupPlanSchema },
  errors: hidden,
})
export const createBackup = defineRoute({
  method: 'POST',
  path: '/servers/:id/backups',
  tag,
  summary: 'Create a backup of a server. Players can keep playing.',
  access: manage,
  keyScope: 'access',
  params,
  body: createBackupBody,
  responses: { 201: operationSchema },
  errors: [...hidden, ...mayRun, ...allBusyCodes, 'too_many_requests'],
})
export const changeBackup = defineRoute({
  method: 'PATCH',
  path: '/servers/:id/backups/:snapshotId',
  tag,
  summary: 'Rename or pin a backup. A pinned backup is kept until it is unpinned.',
  access: manage,
  keyScope: 'access',
  params: one,
  body: changeBackupBody,
  responses: { 200: backupSchema },
  errors: [...found, 'too_many_requests'],
})
export const deleteBackup = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/backups/:snapshotId',
  tag,
  summary: 'Delete a manual backup. It can be recovered for seven days.',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 201: backupSchema },
  errors: [...found, 'only_manual_backups_can_be_deleted'],
})
export const bringBackBackup = defineRoute({
  method: 'POST',
  path: '/servers/:id/backups/:snapshotId/bring-back',
  tag,
  summary: 'Recover a deleted backup',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 200: backupSchema },
  errors: [...hidden, 'no_server_backup_found', 'backup_deleted', 'too_many_requests'],
})
export const restoreBackup = defineRoute({
  method: 'POST',
  path: '/servers/:id/backups/:snapshotId/restore',
  tag,
  summary: 'Restore files from a backup: all of them, or some, which can be done while the game is running',
  access: manage,
  keyScope: 'access',
  params: one,
  body: restoreBackupBody,
  responses: { 201: operationSchema },
  errors: [...readable, ...mayRun, ...allBusyCodes, 'server_is_running', 'file_does_not_exist'],
})
export const undoRestore = defineRoute({
  method: 'POST',
  path: '/servers/:id/backups/restores/:process_id/undo',
  tag,
  summary: 'Undo a restore within seven days. The files it replaced come back, and those it added are removed.',
  access: manage,
  keyScope: 'access',
  params: z.object({ id: idSchema, process_id: idSchema }),
  body: undoRestoreBody,
  responses: { 201: operationSchema },
  errors: [...readable, ...mayRun, ...allBusyCodes, 'server_is_running', 'process_not_found'],
})
export const listBackupWorlds = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups/:snapshotId/worlds',
  tag,
  summary: 'List the worlds in a backup, each with all its folders',
  access: read,
  keyScope: 'access',
  params: one,
  responses: { 200: backupWorldsSchema },
  errors: readable,
})
export const findBackupPlayer = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups/:snapshotId/players/:player_id',
  tag,
  summary: 'Get a player’s files in a backup: inventory, statistics and progress',
  access: read,
  keyScope: 'access',
  params: one.extend({ player_id: z.string().regex(/^[0-9a-f-]{36}$/) }),
  responses: { 200: backupPlayerSchema },
  errors: readable,
})
export const listBackupFiles = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups/:snapshotId/files',
  tag,
  summary: 'List the contents of a folder in a backup',
  access: read,
  keyScope: 'access',
  params: one,
  query: z.object({ path: backupPathSchema.default('') }),
  responses: { 200: backupFolderSchema },
  errors: [...readable, 'file_does_not_exist'],
})
export const compareBackup = defineRoute({
  method: 'GET',
  path: '/servers/:id/backups/:snapshotId/changes',
  tag,
  summary: 'Get what has changed between a backup and now, or between two backups',
  access: read,
  keyScope: 'access',
  params: one,
  query: z.object({ until: z.union([z.literal('now'), snapshotId]).default('now') }),
  responses: { 200: backupChangesSchema },
  errors: readable,
})
export const tellBackupKey = defineRoute({
  method: 'POST',
  path: '/servers/:id/backups/key',
  tag,
  summary:
    'Get the repository, password and commands for opening a server’s backups anywhere. Only for the owner and administrators.',
  access: manage,
  stepUp: true,
  params,
  responses: { 200: backupKeySchema },
  errors: [...hidden, 'no_server_backup_repo_found', 'step_up_required'],
})
