import { z } from 'zod'
import { idSchema, moneySchema, pagingQuery, timeSchema } from '../primitives.ts'

export const eventLevels = { DEBUG: 10, INFO: 20, WARN: 30, ERROR: 40, CRITICAL: 50 } as const
export type EventLevel = (typeof eventLevels)[keyof typeof eventLevels]

/** Why a workload was taken away on purpose. */
export const podRemovals = ['sleep', 'unused', 'plan', 'unresponsive', 'moved', 'checkpoint'] as const
export type PodRemoval = (typeof podRemovals)[number]
/** `expired`: its volume went as well. */
export const podDeletedCauses = [...podRemovals, 'expired'] as const

const text = z.string()
const count = z.int().min(0)
/** Nothing is known beyond the event itself. */
const nothing = z.object({})
/** Who asked for it. People stand in the events of a server by their id only, so that a deleted account leaves no name. */
const executor = idSchema.optional()
const byExecutor = z.object({ executor })
/** The name goes once that player is forgotten. */
const byPlayer = byExecutor.extend({ player: text.optional() })
const map = byExecutor.extend({ process_id: idSchema.optional() })

/** Where somebody was and with what, as far as it is known. */
const place = {
  ip: text.nullable().optional(),
  country_code: z.string().length(2).nullable().optional(),
  user_agent: text.nullable().optional(),
}
const login = z.object({
  ...place,
  email: text,
  method: text,
  provider: text.optional(),
  provider_id: text.optional(),
  /** Of an account with a second factor: which one was shown. */
  second_step: text.optional(),
})
const register = login.extend({
  /** Which words were agreed to; the account says only when. */
  accepted_terms: z.object({ version: text, date: text }).optional(),
})
const social = z.object({ ...place, provider: text, provider_id: text.optional(), username: text.optional() })
const named = z.object({ name: text })
const apiKey = z.object({
  ...place,
  name: text,
  /** Its first characters. */
  hint: text,
  scopes: z.array(text),
  address_ranges: z.array(text),
  expires_at: timeSchema.nullable(),
})
const sshKey = z.object({ ip: text.optional(), name: text, fingerprint: text })
const packageChange = z.object({
  executor,
  process_id: idSchema.optional(),
  package_name: text.optional(),
  /** Hashes of their manifests. */
  package_id: text.optional(),
  /** Why: one of `lockCauses`. */
  package_label: text.optional(),
  plan: text.optional(),
  /** Of one that came with the server. */
  engine: text.optional(),
  engine_version: text.nullish(),
  force: z.boolean().optional(),
  selectors: z.array(z.unknown()).optional(),
  delete_data: z.boolean().optional(),
})
const packageInstall = packageChange.extend({
  replace_installed_with: z.array(z.object({ from: text, to: text })).optional(),
  install_deps: z.boolean().optional(),
})
/** `amount` is what was paid, or what of it went back. */
const shopOrder = z.object({ player: text.optional(), item: text, amount: z.int(), currency: text })
const packageRelease = z.object({
  executor,
  package_name: text,
  package_slug: text,
  version: text,
  file_paths: z.array(text),
  release_type: text,
  dependencies: z.array(z.unknown()),
})
const fileUpload = z.object({
  executor,
  process_id: text.optional(),
  path: text,
  files: z.array(text),
  total_size: count,
  progress: z.object({ file: text, done: z.number() }).optional(),
  /** Added: how many there were; `files` names a few. */
  count: count.optional(),
})
/** What was done with files within a minute: how many, and the paths of a few. */
const fileWork = z.object({
  executor,
  count,
  paths: z.array(text),
  to: text.optional(),
  total_size: count.optional(),
})
const world = z.object({
  executor,
  process_id: idSchema.optional(),
  world: text,
  /** What it is called then. */
  name: text.optional(),
  dimension: text.optional(),
  /** What was changed of it. */
  changed: z.array(text).optional(),
  outcome: text.optional(),
})
const crash = z.object({
  crash_count: count.optional(),
  event_log_ids: z.array(idSchema).optional(),
  code: z.int().nullable().optional(),
  signal: text.nullable().optional(),
  /** Tags of `crashTags`, or of a newer supervisor. */
  crash_reasons: z.array(z.object({ tag: text, details: z.record(z.string(), z.unknown()).optional() })).optional(),
  last_logs: z.array(text).optional(),
})
/** Who or what woke it: `player`, `ping`, `schedule`; and a player by the name that they gave, which nobody had proved by then. */
const waker = { cause: text.optional(), player: text.optional() }
const power = z.object({
  executor,
  timeout: count.optional(),
  restart: z.boolean().optional(),
  kill: z.boolean().optional(),
  /** Of events from before waking had its own. */
  ...waker,
  autostart: z.boolean().optional(),
  /** `kept`: it goes on running. */
  game: text.optional(),
})
const countdown = z.object({ executor, restart: z.boolean(), in_seconds: count.optional() })
const backup = z.object({
  executor,
  server_id: idSchema.optional(),
  /** Missing where none was made. */
  backup_id: text.optional(),
  cause: text.optional(),
  keep_paths: z.array(text).optional(),
  process_id: idSchema.optional(),
  /** `cancelled`, or `rolled_back` and `failed` with an error. */
  outcome: text.optional(),
  /** Only some files. */
  paths: z.array(text).optional(),
  /** Some files could not be read. */
  incomplete: z.boolean().optional(),
  /** It was brought back. */
  brought_back: z.boolean().optional(),
})
const rename = z.object({ executor, server_id: idSchema.optional(), old_name: text, new_name: text })
const engineChange = z.object({
  executor,
  server_id: idSchema.optional(),
  old_engine: text,
  new_engine: text,
  backup_id: text.optional(),
  process_id: idSchema.optional(),
  /** `cancelled`, or `rolled_back` and `failed` with an error. */
  outcome: text.optional(),
})
const sharing = z.object({
  executor,
  /** Whose access it is about; missing for an address that has not answered. */
  person: idSchema.optional(),
  /** Where an invitation went, with all but its first letter and its host left out. */
  address: text.optional(),
  capabilities: z.array(text).optional(),
})
const paymentReturn = z.object({
  return_id: idSchema,
  transaction_id: idSchema,
  provider: text,
  amount: z.int(),
  currency: text,
  reason: text,
})
const flagState = z.object({ enabled: z.boolean(), value: z.unknown(), rules: z.unknown() })
const addOn = z.object({ executor, service_id: idSchema, product: text })
const website = z.object({ website_id: idSchema, name: text })
const planChange = z.object({ executor, service_id: idSchema, old_product: text, new_product: text })

/**
 * What is known of each action: section 3 of the specification, audit event payloads by kind. Names are the
 * specification's; those under "added" follow its manner. `USER_…` tells of an account, everything else of a server.
 */
export const eventDetails = {
  USER_LOGIN: login,
  USER_LOGIN_EMAIL: login,
  USER_REGISTER_EMAIL: register,
  USER_CONFIRM_EMAIL: z.object({ email: text }),
  USER_RESEND_EMAIL: nothing,
  USER_CHANGE_EMAIL: z.object({ ...place, email: text, old_email: text }),
  USER_CHANGE_USERNAME: z.object({ username: text, old_username: text }),
  USER_CHANGE_PASSWORD: z.object({ ...place, method: text }),
  USER_SOCIAL_CONNECT: social,
  USER_RATED_APP: z.object({
    rate: z.number(),
    username: text.optional(),
    user_url: text.optional(),
    causes: z.array(text).optional(),
    advantages: z.array(text).optional(),
    server: text.optional(),
    server_id: idSchema.optional(),
    /** How old the server was, in seconds. */
    duration: z.number().optional(),
    panel_language: text.optional(),
    engine: text.optional(),
    comment: text.optional(),
    age: text.optional(),
  }),
  GAME_CRASHED: crash,
  GAME_STARTED: nothing,
  GAME_STOPPED: z.object({ code: z.int().nullable(), signal: text.nullable() }),
  GAME_CRASHED_TOO_MANY_TIMES: crash,
  SERVER_GAME_STOP: power,
  SERVER_GAME_START: power,
  SERVER_GAME_CRASHED: crash,
  SERVER_GAME_CRASHED_TOO_MANY_TIMES: crash,
  UPLOADED_FILES: fileUpload,
  UPLOADED_FILES_FROM_URL: z.object({
    executor,
    process_id: idSchema.optional(),
    url: text,
    path: text.optional(),
    file_size: count,
  }),
  EXTRACTED_ARCHIVE: z.object({ executor, archive_path: text, extract_path: text, extracted_files: z.array(text) }),
  SERVER_EXPIRED: z.object({ expires: timeSchema.optional() }),
  SERVER_RENEWED: z.object({ executor, expires: timeSchema.optional(), billing_period: text.optional() }),
  SERVER_PVC_CREATED: z.object({ pvc_id: text.optional() }),
  SERVER_POD_CREATED: z.object({ from: z.enum(['checkpoint', 'start']).optional() }),
  /** `cause`: one of `podDeletedCauses`. */
  SERVER_POD_DELETED: z.object({ executor, cause: text.optional() }),
  SERVER_POD_CRASHED: z.object({ phase: text.nullable() }),
  SERVER_POD_UNSCHEDULED: z.object({ cause: text.optional() }),
  SERVER_DISC_QUOTA_WARNING: z.object({ free_bytes: count, percentage: z.number() }),
  SERVER_INVALID_GAME_CONFIGURATION: z.object({ path: text.optional() }),
  SERVER_PREPARE: z.object({
    executor,
    product_id: text,
    billing_period: text,
    engine: text,
    engine_version: text,
  }),
  SERVER_MIGRATION: z.object({
    executor,
    old_cluster: text,
    new_cluster: text,
    process_id: idSchema.optional(),
    /** What an administrator gave, who has moved it without being asked to. */
    reason: text.optional(),
    /** How long its game was down; missing where it was not up. */
    down_seconds: z.number().optional(),
    bytes: z.number().optional(),
    outcome: text.optional(),
  }),
  /** Brought up on another cluster from a backup, since its machine was lost. */
  SERVER_RESCUE: z.object({
    executor,
    old_cluster: text,
    new_cluster: text,
    process_id: idSchema.optional(),
    reason: text,
    backup_id: text,
    /** When that backup was made: what came after it is not there. */
    backup_made_at: text,
    outcome: text.optional(),
  }),
  SERVER_NAME_CHANGED: rename,
  SERVER_OVERVIEWER_GENERATED_MAP: map,
  SERVER_OVERVIEWER_FAILED_DURING_GENERATION: map,
  SERVER_FORMAT: z.object({
    executor,
    backup_id: text.optional(),
    process_id: idSchema.optional(),
    keep_paths: z.array(text).optional(),
    outcome: text.optional(),
  }),
  SERVER_BACKUP: backup,
  SERVER_RESTORE_BACKUP: backup,
  SERVER_CHANGE_ENGINE: engineChange,
  SERVER_INSTALL_PACKAGE: packageInstall,
  SERVER_UNINSTALL_PACKAGE: packageChange,
  SERVER_BACKUP_DELETION: backup,
  SERVER_PACKAGE_CREATE: packageRelease,
  SERVICE_UPGRADE: planChange,
  // named in words only by the specification's log screen
  USER_LOGIN_DISCORD: login,
  USER_REGISTER_DISCORD: register,
  USER_DELETE: nothing,
  USER_SCHEDULE_DELETION: z.object({ email: text, username: text, scheduled_destruction: timeSchema }),
  USER_CREATE_PROJECT_RELEASE: packageRelease,
  SERVICE_DOWNGRADE: planChange,
  BACKUP_DOWNLOAD: backup,
  MAPVIEW_GENERATION: map,
  // added
  SERVER_PREPARED: z.object({
    executor,
    process_id: idSchema,
    engine: text,
    engine_version: text,
    outcome: text.optional(),
  }),
  SERVICE_ADD_ADD_ON: addOn,
  SERVICE_REMOVE_ADD_ON: addOn,
  /** The whole contract was withdrawn from, which ended the server. */
  SERVICE_WITHDRAW: z.object({ executor }),
  SERVER_FILES_SAVE: fileWork, // of an editor
  SERVER_FILES_FOLDER: fileWork,
  SERVER_FILES_MOVE: fileWork,
  SERVER_FILES_COPY: fileWork,
  SERVER_FILES_TRASH: fileWork, // put there
  SERVER_FILES_RESTORE: fileWork,
  SERVER_FILES_REMOVE: fileWork, // for good
  SERVER_TRASH_MADE_ROOM: fileWork, // gone before its seven days, because room was needed
  SERVER_FILES_PACK: fileWork,
  SERVER_FILES_PERMISSIONS: fileWork,
  SERVER_FILES_DOWNLOAD: fileWork,
  SERVER_PORT_CHANGE: z.object({
    executor,
    port_name: text,
    old_port: z.int().nullable(),
    new_port: z.int().nullable(),
  }),
  /** `outcome`: why it was done by nobody, such as `proof_missing`. */
  SERVER_DOMAIN_CHANGE: z.object({
    executor,
    old_domain: text.nullable(),
    new_domain: text.nullable(),
    outcome: text.optional(),
  }),
  SERVER_ANTIBOT_CHANGE: z.object({ executor, old_mode: text, new_mode: text }),
  /** It fell asleep; that it sleeps deeper later is not told. `cause`: one of `levelCauses`, such as `empty`. */
  SERVER_SLEEP: z.object({ cause: text }),
  SERVER_WAKE: byExecutor.extend(waker),
  SERVER_ATTACK_DETECTED: nothing, // by bots
  SERVER_ATTACK_ENDED: z.object({ since: timeSchema, turned_away: count }),
  // and those below: what was done about a player
  SERVER_PLAYER_BAN: byPlayer,
  SERVER_PLAYER_PARDON: byPlayer,
  SERVER_PLAYER_LIST: byPlayer,
  SERVER_PLAYER_OPERATOR: byPlayer,
  SERVER_PLAYER_ACTION: byPlayer.extend({
    /** Missing in events from before it was noted. */
    what: z.enum(['kick', 'message', 'teleport', 'game_mode']).optional(),
    /** Of a kick, as the player read it. */
    reason: text.optional(),
  }),
  SERVER_PLAYER_EDIT: byPlayer, // what they carry, how and where they are
  SERVER_PLAYER_FORGET: byExecutor,
  SERVER_SHOP_EDIT: byExecutor, // its words, items, coupons or goals, or a command of an order
  SERVER_SHOP_SALE: shopOrder,
  SERVER_SHOP_REFUND: shopOrder, // the whole of it, or a part
  SERVER_SHOP_CHARGEBACK: shopOrder,
  SERVER_WORLD_EDIT: world, // its rules, difficulty, spawn, border or time
  SERVER_WORLD_DUPLICATE: world,
  SERVER_WORLD_RENAME: world,
  SERVER_WORLD_RESET: world, // one dimension
  SERVER_WORLD_SWITCH: world, // it is played from now on
  SERVER_WORLD_CREATE: world,
  SERVER_WORLD_DELETE: world,
  SERVER_WORLD_IMPORT: world, // out of an archive
  SERVER_WORLD_PRUNE: world,
  SERVER_MYSQL_PASSWORD: byExecutor, // made, with MySQL itself where there was none
  SERVER_MYSQL_DELETE: byExecutor,
  SERVER_MYSQL_EXPORT: byExecutor,
  SERVER_MYSQL_IMPORT: z.object({ executor, size: count }),
  SERVER_COUNTDOWN: countdown, // to a stop or restart, of which players are told
  SERVER_COUNTDOWN_CANCEL: countdown,
  SERVER_SFTP_PASSWORD: byExecutor, // made
  SERVER_SFTP_PASSWORD_REMOVED: byExecutor,
  SERVER_SFTP_KEYS_ONLY: z.object({ executor, value: z.boolean() }),
  SERVER_SFTP_LOGIN: z.object({ executor, ip: text }), // from there, within the hour
  SERVER_SHARE_INVITE: sharing, // and those below: how a server came to be shared
  SERVER_SHARE_WITHDRAW: sharing,
  SERVER_SHARE_ACCEPT: sharing,
  SERVER_SHARE_DECLINE: sharing,
  SERVER_SHARE_CHANGE: sharing,
  SERVER_SHARE_REVOKE: sharing,
  SERVER_SHARE_LEAVE: sharing,
  USER_SOCIAL_DISCONNECT: social,
  USER_SET_REFERRER: z.object({ code: text }),
  USER_REFERRAL_REWARD: z.object({ reward: text, hours: count }),
  USER_REFERRAL_REVERSED: z.object({ reward: text, hours: count }),
  USER_REFERRAL_HOURS_USED: z.object({ service_id: idSchema, hours: count, expires: timeSchema }),
  USER_AFFILIATE_APPLY: z.object({ user_url: text }),
  USER_AFFILIATE_DECISION: z.object({ state: text }),
  USER_AFFILIATE_PAYOUT: z.object({ amount: moneySchema }),
  USER_BILL_PAID: z.object({ amount: moneySchema, service_id: idSchema }),
  USER_WEBSITE_CREATED: website.extend({ billing_period: text, expires: timeSchema }),
  USER_WEBSITE_RENEWED: website.extend({ billing_period: text.optional(), expires: timeSchema }),
  USER_WEBSITE_EXPIRED: website.extend({ expires: timeSchema }),
  USER_WEBSITE_PUBLISHED: website.extend({ version: count }),
  USER_WEBSITE_UNPUBLISHED: website,
  /** `outcome`: `proved`, `removed`, `proof_missing`, `proved_by_another`. */
  USER_WEBSITE_DOMAIN_CHANGED: website.extend({ domain: text, outcome: text }),
  USER_WEBSITE_DELETED: website,
  USER_BILL_OVERDUE: z.object({ amount: moneySchema, service_id: idSchema }),
  USER_REFERRAL_REVIEW: z.object({ signs: z.array(text), review: text }),
  USER_CANCEL_DELETION: nothing,
  /** Added. The name is the host that is told. */
  USER_DELETE_SERVER: named, // a free one, by its owner
  USER_CREATE_WEBHOOK: named,
  USER_CHANGE_WEBHOOK: named,
  USER_DELETE_WEBHOOK: named,
  USER_CREATE_API_KEY: apiKey,
  USER_CHANGE_API_KEY: apiKey,
  USER_DELETE_API_KEY: apiKey,
  USER_ADD_SSH_KEY: sshKey,
  USER_REMOVE_SSH_KEY: sshKey,
  USER_ADD_TOTP: nothing,
  USER_REMOVE_TOTP: nothing,
  USER_ADD_PASSKEY: named,
  USER_RENAME_PASSKEY: named,
  USER_REMOVE_PASSKEY: named,
  USER_RENEW_RECOVERY_CODES: nothing,
  USER_END_SESSION: z.object(place),
  USER_NEW_DEVICE: z.object(place), // a sign-in from a browser that is new to the account
  USER_SESSION_STOLEN: nothing, // a refresh token came back after its rotation
  USER_WALLET_TOP_UP: z.object({ amount: z.int(), currency: text, reason: text }),
  USER_PAYMENT_REFUND: paymentReturn,
  USER_PAYMENT_CHARGEBACK: paymentReturn.extend({ owed: z.int() }),
  USER_PAYMENT_RETURN_END: paymentReturn.extend({ outcome: text }), // how a refund or chargeback has ended
  USER_SUSPEND: z.object({ reason: text }),
  USER_UNSUSPEND: z.object({ reason: text.nullable() }),
  USER_CHANGE_CAPABILITIES: z.object({
    before: z.record(text, z.unknown()),
    after: z.record(text, z.unknown()),
  }),
  USER_VIEW_AS_BEGIN: z.object({ until: timeSchema }),
  USER_VIEW_AS_END: nothing,
  // and the one below: by an administrator
  SERVER_ADMIN_CHANGE: z.object({
    executor,
    reason: text,
    before: z.record(text, z.boolean()),
    after: z.record(text, z.boolean()),
  }),
  SERVER_PARAMETERS_CHANGE: z.object({
    executor,
    before: z.record(text, z.unknown()),
    after: z.record(text, z.unknown()),
  }),
  SERVER_CONSOLE_COMMAND: z.object({ executor, command: text }), // of an administrator who views the panel as its user
  USER_CHANGE_TAX_DATA: z.object({ changed: z.array(text) }), // names of fields
  USER_EXPORT_DATA: nothing,
  USER_DOWNLOAD_DATA: nothing,
  // of the administrator who changed it; null: there was none, there is none any more
  USER_CHANGE_CAPABILITY_SET: z.object({
    set: text,
    before: z.record(text, z.unknown()).nullable(),
    after: z.record(text, z.unknown()).nullable(),
  }),
  // of the administrator who made them; hours and amounts are what all of them give together
  USER_GENERATE_VOUCHERS: z.object({
    batch: idSchema,
    quantity: count,
    group: text.nullable(),
    prefix: text,
    hours: count,
    value: z.record(text, count),
  }),
  // of the administrator who took them back; without ids all that were left of the batch
  USER_REVOKE_VOUCHERS: z.object({
    batch: idSchema,
    quantity: count,
    group: text.nullable(),
    prefix: text,
    voucher_ids: z.array(idSchema).optional(),
  }),
  USER_USE_VOUCHER: z.object({
    executor,
    voucher_id: idSchema,
    group: text.nullable(),
    service_id: idSchema.optional(),
    wallet_id: idSchema.optional(),
  }),
  // of the administrator who added or changed it; null: there was none
  USER_CHANGE_CLUSTER: z.object({
    cluster: text,
    before: z.record(text, z.unknown()).nullable(),
    after: z.record(text, z.unknown()),
  }),
  // of the administrator who has it emptied, pauses that, goes on or ends it
  USER_EVACUATE_CLUSTER: z.object({ cluster: text, state: text, reason: text }),
  USER_CHANGE_FLAG: z.object({ flag: text, before: flagState, after: flagState }), // of the administrator who changed it
} as const satisfies Record<string, z.ZodObject>
export type AuditAction = keyof typeof eventDetails
export const auditActions = Object.keys(eventDetails) as [AuditAction, ...AuditAction[]]
export type EventDetails<Action extends AuditAction> = z.infer<(typeof eventDetails)[Action]>

/**
 * Names of the specification that nothing writes: of what the product does not do, and second names of what it does
 * (`GAME_CRASHED` is a crash, whoever saw it). Nobody is offered them.
 */
const unwrittenActions: readonly AuditAction[] = [
  'SERVER_GAME_CRASHED',
  'SERVER_GAME_CRASHED_TOO_MANY_TIMES',
  'SERVER_POD_UNSCHEDULED',
  'SERVER_INVALID_GAME_CONFIGURATION',
  'USER_DELETE',
]
/** What can be in a log, to choose from. */
export const writtenActions = auditActions.filter((action) => !unwrittenActions.includes(action))

export const isUserAction = (action: AuditAction) => action.startsWith('USER_')

/** What names a person or leads to one: removed when the account is. */
export const personalDetails = [
  'ip',
  'address_ranges',
  'country_code',
  'user_agent',
  'email',
  'old_email',
  'username',
  'old_username',
  'user_url',
  'provider_id',
  'comment',
  'age',
] as const
/** What may be long: told of one event, and not in lists. */
export const longDetails = ['last_logs', 'files', 'extracted_files', 'file_paths', 'dependencies', 'selectors'] as const

export const auditEventSchema = z.object({
  id: idSchema,
  level: z.int(),
  resource_id: idSchema,
  resource_type: z.enum(['user', 'server']),
  created_at: timeSchema,
  action: z.enum(auditActions),
  success: z.boolean(),
  /** `eventDetails` of the action; in lists without `longDetails`. */
  data: z.record(z.string(), z.unknown()),
  error: z.object({ code: z.string(), fields: z.record(z.string(), z.unknown()).optional() }).nullable(),
  /** Who asked for it, by their name of today; null where nobody did or the account is gone. */
  executor: z.object({ id: idSchema, username: z.string() }).nullable(),
  /** Whom else it is about, in the same way. */
  person: z.object({ id: idSchema, username: z.string() }).nullable(),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

/** Events that fit are counted up to here: then the count says "at least as many". */
export const eventCountLimit = 1000
export const auditEventListSchema = z.object({
  data: z.array(auditEventSchema),
  /** Of all that fit the filter, whatever the page; at most `eventCountLimit`. */
  count: z.int(),
})

const filter = {
  /** One, or several with commas between. */
  action: z
    .string()
    .max(8000)
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(auditActions)).max(auditActions.length))
    .optional(),
  fromDate: timeSchema.optional(),
  /** Within. */
  toDate: timeSchema.optional(),
}
const leveled = { ...filter, minLevel: z.coerce.number().int().min(0).max(100).optional() }
/** `after` is the id of the last event seen: the next ones are older. */
export const eventQuery = z.object({ ...pagingQuery, ...leveled })
export const eventExportQuery = z.object(leveled)
export type EventFilter = z.output<typeof eventExportQuery>
