/**
 * The error catalogue: every code an answer may carry and the HTTP status it comes with.
 * Codes are those of the product specification, section 8; those under "added" follow its manner.
 */
import { z } from 'zod'

export const errorStatuses = {
  resource_already_exists: 400,
  resource_not_found: 404,
  invalid_user_password: 400,
  wrong_password_or_username: 401,
  user_not_found: 404,
  email_already_sent: 400,
  email_already_verified: 400,
  not_recognized: 400,
  server_id_not_found: 404,
  no_price_for_parameters: 400,
  no_code: 400,
  user_has_to_accept_terms: 400, // at registration; afterwards when new terms demand it, on calls that change something
  user_already_scheduled_for_deletion: 400,
  user_has_active_services: 400,
  transaction_value_too_low: 400,
  access_denied: 403,
  unauthorized: 401,
  user_code_expired: 400,
  server_has_not_pod: 400,
  domain_reserved: 400,
  domain_invalid_subdomain: 400,
  too_many_free_domains: 400, // of chosen names: `fields.limit` is how many the plan has
  pdns_record_not_found: 404, // the name servers do not have the records of a name: they are set anew
  zone_id_not_found: 404, // the name servers do not have the zone of a name
  cluster_does_not_support_module: 400,
  insufficient_permissions: 403,
  insufficient_capabilities: 403,
  server_is_not_running: 400,
  server_is_expired: 400,
  server_is_disabled: 400,
  server_is_running: 400,
  server_is_not_stopped: 400,
  game_process_already_started: 400,
  too_many_requests: 429,
  cluster_is_disabled: 400,
  cluster_not_found: 404,
  agent_token_not_valid: 400, // used, too old, of none, or the proof is not of it
  agent_has_servers: 400, // files of servers are on the machine: `fields.servers`
  product_has_no_price_for_selected_currency: 400,
  product_not_available: 400,
  product_not_found: 404,
  game_setup_is_invalid: 400,
  unsupported_payment_method: 400,
  transaction_not_found: 404,
  transaction_is_not_new: 400,
  wallet_has_other_currency: 400,
  wallet_has_not_funds: 400,
  wallet_not_found: 404,
  failed_to_acquire_lock: 400,
  free_servers_not_available: 400,
  user_already_has_free_server: 400,
  service_cannot_be_upgraded: 400, // `fields.reason` says why, see `changeObstacles`
  module_has_dependencies: 400,
  module_is_not_supported: 400, // no release is for this engine, or it is not allowed here: `fields.reason`
  module_parameter_not_allowed: 400, // engines, runtimes and the game are not installed as packages: `fields.selector`
  modules_not_implementing_given_interface: 400, // nothing provides it: `fields.selector`
  kloceg_install_failed: 400, // `fields.reason`: one of `packageObstacles`, or what went wrong; `fields.packages`
  kloceg_uninstall_failed: 400,
  too_many_plugins_on_server: 400, // `fields.limit`, `fields.count`
  insufficient_storage: 400, // more is used than the smaller plan has: `fields.used`, `fields.limit` in bytes
  user_already_in_queue: 400,
  no_state: 400,
  discord_user_email_not_verified: 400,
  voucher_not_found: 404,
  voucher_expired: 400,
  voucher_already_used: 400,
  voucher_not_for_product: 400,
  voucher_not_for_cluster: 400,
  voucher_not_for_billing: 400,
  voucher_not_for_service: 400,
  voucher_not_for_current_config: 400,
  voucher_has_not_supporting_currency: 400,
  invalid_voucher_for_product: 400,
  invalid_voucher_for_billing_period: 400,
  billing_service_already_has_coupon: 400,
  voucher_daily_limit_reached: 400,
  voucher_daily_hours_limit_reached: 400,
  voucher_daily_value_limit_reached: 400,
  voucher_invalid_quantity: 400,
  not_project_member: 403,
  market_project_bad_slug: 400,
  short_description_too_long: 400, // `fields.limit` in characters
  description_too_long: 400,
  missing_original_description: 400, // there are texts, and none of them is the one that others are translated from
  // and those that nothing answers with: second names of others, and of what there is not
  'wrong password': 400,
  'not authorized': 401,
  template_not_found: 404,
  instance_not_found: 404,
  server_has_not_game_process: 400,
  no_server_repo_found: 404,
  module_has_no_price: 400,
  user_has_too_many_wallets: 400,
  // added
  second_factor_required: 403, // the first step of a login is done; `fields` say which second ones there are
  step_up_required: 403, // the session has to prove anew that it is the owner's: `POST /users/step-up`, then again
  passkey_refused: 400,
  invalid_request: 400, // `fields` maps the dotted path of each wrong value to a reason
  request_too_large: 413,
  transaction_value_too_high: 400,
  email_not_verified: 403,
  user_suspended: 403, // `fields.reason` is what the administrator wrote
  own_account_protected: 400, // administrators do not suspend, view as or demote themselves
  last_administrator: 400,
  user_is_administrator: 400,
  idempotency_key_reused: 400,
  invoice_not_found: 404,
  withdrawal_not_possible: 400, // `fields.obstacle` says why
  voucher_revoked: 400, // an administrator has taken it back
  provider_unavailable: 502,
  blik_code_invalid: 400, // of these three `fields.transaction_id` waits for another code
  blik_code_expired: 400,
  blik_code_used: 400,
  webhook_not_allowed: 400,
  webhook_unreachable: 400,
  engine_catalogue_unavailable: 502,
  engine_version_not_found: 404,
  server_is_preparing: 400,
  process_not_found: 404,
  process_cant_be_cancelled: 400, // it is over, or past the point where it could go back
  server_has_running_engine_change: 400, // and those below: `fields.process_id` is the one that is waited for
  server_has_running_format: 400,
  server_has_running_backup: 400,
  server_has_running_restore: 400,
  server_has_running_world_change: 400,
  world_not_found: 404,
  world_not_in_archive: 400, // `fields.reason`: `no_world`, or `several_worlds`
  world_cannot_do_that: 400, // `fields.reason`: one of `worldObstacles`
  server_has_running_package_change: 400,
  server_has_running_migration: 400,
  server_cannot_migrate: 400, // `fields.reason`: one of `migrationObstacles`
  packages_do_not_fit: 400, // the packages of a server do not go with another engine: `fields.packages`
  too_many_packages: 400, // to choose from
  invalid_selector: 400, // `fields.selector`
  package_source_unavailable: 502, // `fields.source`
  no_server_backup_found: 404,
  no_server_backup_repo_found: 404, // nothing has been backed up yet
  no_backup_repository_backup: 502, // what holds its backups cannot be read, or does not have it
  no_backup_repository_updated: 502, // what holds its backups takes nothing
  only_manual_backups_can_be_deleted: 400,
  backup_deleted: 400, // or too old, and removed
  cannot_be_restored: 400, // its data is damaged
  too_many_schedules: 400, // `fields.limit`
  server_did_not_start: 400, // within the time that a schedule waits for it
  too_many_ports: 400, // `fields.limit`
  world_is_newer: 400, // an older engine would spoil the world: `fields.world`, `fields.version`
  user_owns_server: 400,
  too_many_people_on_server: 400,
  invitation_not_found: 404,
  invitation_for_another_account: 403,
  service_unavailable: 503,
  internal_error: 500,
  discord_unavailable: 502,
  user_has_no_other_login: 400, // unlinking would leave no way into the account
  referral_not_allowed: 400, // of oneself, of somebody whom one has brought, or of a customer
  affiliate_not_active: 400, // not approved, or suspended
  affiliate_has_not_funds: 400, // `fields.available` is what there is
  pay_later_not_available: 400, // beyond what somebody may owe; `fields.available` is what is left
  not_enough_referral_hours: 400, // `fields.hours` is how many there are
  transaction_not_refundable: 400, // no payment, or one whose provider cannot be asked: `fields.obstacle`
  refund_exceeds_payment: 400, // `fields.available` is what has not gone back yet
  refund_exceeds_balance: 400, // `fields.available` is what the wallet holds that may be paid out
  return_is_over: 400, // how a refund or chargeback has ended is known already
  free_hours_used_up: 400, // a free server has been up as long as it may on this day: `fields.until` is when the next one begins
  free_session_not_extendable: 400, // `fields.reason`: `no_session`, or `too_early`
  free_place_not_offered: 400, // nobody holds a place for this user, or no longer
  file_does_not_exist: 404,
  file_has_other_type: 400, // a folder where a file is needed, or the other way round
  file_has_been_modified_since: 409, // `fields.revision` is the one it has now
  file_is_too_large: 400, // `fields.limit` in bytes
  file_job_not_found: 404,
  unknown_file_name: 400, // nothing can be called that
  invalid_file: 400, // damaged, or not what its name says
  archive_is_encrypted: 400,
  archive_is_too_large: 400, // more entries or bytes than may be unpacked: `fields.reason`
  disc_quota_exceeding: 400, // `fields.needed` and `fields.available` in bytes, where they are known
  server_has_no_files: 400, // they were deleted with the end of its time
  range_not_satisfiable: 416, // `fields.size` is how many bytes there are
  transfer_ended: 403, // the ticket is too old, or whoever asked for it may no longer
  upload_not_found: 404,
  upload_offset_differs: 409, // `fields.offset` is where it goes on
  upload_checksum_differs: 460, // as tus has it; the part is thrown away
  url_not_allowed: 400, // no public address
  url_unreachable: 400, // `fields.status`, where there was an answer
  mysql_not_in_plan: 400,
  mysql_refused: 400, // a statement: `fields.reason` is what MariaDB says
  map_not_available: 400, // `fields.reason`: `bedrock` or `off`
  map_has_no_world: 400, // nothing of it is saved yet
  map_not_drawn: 400, // `fields.reason`: `memory` or `time`, of which it takes more than it may
  player_not_foound: 404, // as the specification spells it: nobody is called that, or they are not on
  minecraft_profiles_unavailable: 502,
  shop_not_found: 404, // none, or closed
  shop_rules_not_confirmed: 400, // `fields.findings`: what the owner has to look at and answer for
  shop_seller_missing: 400, // nobody sells without saying who they are: `fields` names what is missing
  shop_currency_fixed: 400, // there are orders in the present one
  shop_is_full: 400, // `fields.limit`
  website_is_full: 400, // of pictures: `fields.limit` is how many, or how many bytes
  shop_item_sold_out: 400, // for everybody, or for this player: `fields.left` is how many they may still have
  shop_player_unknown: 400, // nobody of that name has been on the server
  shop_gift_refused: 400, // this item cannot be given
  shop_coupon_invalid: 400, // unknown, over, used up, or for something else
  shop_price_changed: 400, // since it was shown: `fields.total`
  delivery_is_under_way: 409,
  shop_order_given_back: 409, // a refunded or charged-back order is not delivered
  last_project_owner: 400,
  project_not_used: 400, // only those whose server has had it running for an hour review it
  release_not_changeable: 400, // `fields.state`: what is published never changes
  second_factor_missing: 403, // only accounts that a second factor guards publish by themselves
  website_changed_since: 409, // somebody saved it meanwhile: `fields.revision` is the one it has now
  website_is_expired: 400, // it can be renewed, and then published
  ticket_not_found: 404,
  ticket_cannot_do_that: 400, // `fields.status` is the one it has: see `ticketTransitions`
  user_has_debts: 400, // a payment was taken back and something is still owed: nothing new can be bought
} as const

export type ErrorCode = keyof typeof errorStatuses
export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]

/** What an error is about, where the code alone does not say. */
export const resourceKinds = [
  'billing_product',
  'domain',
  'market_project',
  'email',
  'server',
  'user',
  'transactions',
  'voucher',
  'referral_code',
  'name',
  'notification_code',
  'manual_backups_count',
  'backup_restores_count',
  'proxy_verification',
  'billing_service',
  'market_project_release',
  'ticket',
  'minecraft_profile',
  'session',
  'social',
  'api_key',
  'ssh_key',
  'wallet',
  'cluster',
  'event',
  'notification',
  'invitation',
  'affiliate',
  'bill',
  'invoice',
  'process',
  'file',
  'package',
  'website',
] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** Body of every answer that is not a success. `event_id` finds the log line. */
export const errorBodySchema = z.object({
  error: z.enum(errorCodes),
  event_id: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
export type ErrorFields = { resource?: ResourceKind } & Record<string, string | number | boolean>

/** The one way for code to refuse: a code of the catalogue and what it concerns. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorFields | undefined

  constructor(code: ErrorCode, fields?: ErrorFields) {
    super(code)
    this.name = 'DomainError'
    this.code = code
    this.fields = fields
  }
}
