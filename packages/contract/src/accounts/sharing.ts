/** Sharing a server: who may do what on it besides its owner, and invitations to that. */
import { z } from 'zod'
import { serverCapabilityGroups } from '../capability-names.ts'
import { capabilityMapSchema, idSchema, timeSchema } from '../primitives.ts'
import { emailSchema, usernameSchema } from '../validation.ts'

/** What can be granted on a server that somebody else owns: not all of it, since billing and deletion stay the owner's. */
export const sharingGroups = serverCapabilityGroups.filter((group) => group.name !== 'everything')
export type GrantableCapability = (typeof sharingGroups)[number]['capabilities'][number]
export const grantableCapabilities = sharingGroups.flatMap(
  (group): readonly GrantableCapability[] => group.capabilities,
)

/** Reading comes with every other right: nothing else on a server can be used without it. */
const grantedSchema = z
  .array(z.enum(grantableCapabilities))
  .max(grantableCapabilities.length)
  .transform((names) => [...new Set(['server.manage.read' as const, ...names])])

export const inviteBody = z.object({
  /** An e-mail address or a user name. */
  to: z
    .string()
    .trim()
    .max(254, 'invitee')
    .refine((to) => (to.includes('@') ? emailSchema : usernameSchema).safeParse(to).success, 'invitee'),
  capabilities: grantedSchema,
})
export const changeAccessBody = z.object({ capabilities: grantedSchema })

/** Somebody who may do something on a server without owning it. */
export const serverPersonSchema = z.object({
  user_id: idSchema,
  username: z.string(),
  resource_id: idSchema,
  resource_type: z.literal('server'),
  capabilities: capabilityMapSchema,
  /** Who invited them and when they accepted; null where rights were given in another way. */
  invited_by: z.string().nullable(),
  since: timeSchema.nullable(),
  /** Whether the caller may change or revoke what this person holds. */
  can_change: z.boolean(),
})
export type ServerPerson = z.infer<typeof serverPersonSchema>

/** An invitation that waits for an answer, as those see it who share the server. */
export const sentInvitationSchema = z.object({
  id: idSchema,
  /** As it was typed: an address or a name. Which account an address belongs to is told to nobody. */
  to: z.string(),
  capabilities: z.array(z.string()),
  invited_by: z.string(),
  created_at: timeSchema,
  expires_at: timeSchema,
  can_change: z.boolean(),
})
export type SentInvitation = z.infer<typeof sentInvitationSchema>

export const serverAccessSchema = z.object({
  owner: z.object({ user_id: idSchema, username: z.string() }),
  people: z.array(serverPersonSchema),
  invitations: z.array(sentInvitationSchema),
  /** People and waiting invitations together, at most. */
  limit: z.int(),
  /** What the caller may grant. */
  grantable: z.array(z.string()),
})
export type ServerAccess = z.infer<typeof serverAccessSchema>

/** An invitation as the invited see it. */
export const invitationSchema = z.object({
  id: idSchema,
  server_name: z.string(),
  invited_by: z.string(),
  capabilities: z.array(z.string()),
  expires_at: timeSchema,
})
export type Invitation = z.infer<typeof invitationSchema>

export const invitationCodeBody = z.object({ code: z.string().min(1).max(512) })
/** What a mailed link leads to. */
export const invitationLinkSchema = z.object({
  invitation: invitationSchema,
  /** Whether the caller's account is the one that may accept; null for a caller who is not signed in. */
  is_for_caller: z.boolean().nullable(),
})
export const acceptedInvitationSchema = z.object({ server_id: idSchema })
