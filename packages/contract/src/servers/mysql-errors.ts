import { allBusyCodes } from './operations.ts'

/** What any request about the MySQL of a server may be refused with. */
export const mysqlErrors = [
  'server_id_not_found',
  'insufficient_capabilities',
  'mysql_not_in_plan',
  'cluster_does_not_support_module',
  'server_is_preparing',
  'server_is_expired',
  'server_is_disabled',
  'server_is_not_stopped', // its plan has got MySQL since it was started: it comes with the next start
  'server_has_no_files',
  'server_has_not_pod',
  'service_unavailable',
  'too_many_requests',
  ...allBusyCodes,
] as const
