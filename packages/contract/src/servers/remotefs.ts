/** Files of a server over SFTP: where they are reached, and by what. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const remoteFilesSchema = z.object({
  host: z.string(),
  port: z.int(),
  /** The caller's: the account's name, a dot, and the first part of the server's address. */
  username: z.string(),
  /** When the caller's password was made; null: there is none. */
  password_created_at: timeSchema.nullable(),
  /** Whether nobody gets in by a password. */
  keys_only: z.boolean(),
  /** By which a client knows that it speaks with us, as OpenSSH shows them. */
  host_keys: z.array(z.object({ algorithm: z.string(), fingerprint: z.string() })),
})
export type RemoteFiles = z.infer<typeof remoteFilesSchema>

/** The one answer that holds the password itself. */
export const remoteFilesPasswordSchema = z.object({
  username: z.string(),
  password: z.string(),
  created_at: timeSchema,
})
export const changeRemoteFilesBody = z.strictObject({ keys_only: z.boolean() })

/** What somebody has proved who they are with: a password made for that server, or an SSH key of the account. */
export const sftpProofSchema = z.object({ kind: z.enum(['password', 'key']), id: idSchema })
export type SftpProof = z.infer<typeof sftpProofSchema>
/** Whose session it is. */
export const sftpSessionSchema = z.object({ userId: idSchema, serverId: idSchema, proof: sftpProofSchema })
export type SftpSession = z.infer<typeof sftpSessionSchema>

/** What was done in a session with files of one kind since it was told of last. */
export const sftpChangeSchema = z.object({
  kind: z.enum(['upload', 'download', 'folder', 'move', 'remove', 'chmod']),
  /** Of a few. */
  paths: z.array(z.string().max(4096)).max(20),
  to: z.string().max(4096).optional(),
  count: z.int().min(1).max(10_000_000),
  bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type SftpChange = z.infer<typeof sftpChangeSchema>

/** Lines of `gatewaySftpWatch`: `ping` now and then, and `end` when the session is over. */
export const sftpWatchLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('end'), because: z.enum(['right', 'busy']) }),
])
export type SftpWatchLine = z.infer<typeof sftpWatchLine>
