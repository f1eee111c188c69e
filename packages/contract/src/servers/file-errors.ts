/** What any request about files may be refused with. */
import { allBusyCodes } from './operations.ts'

export const cannotRead = [
  'server_id_not_found',
  'insufficient_capabilities',
  'server_is_preparing',
  'server_has_no_files',
  'too_many_requests',
] as const
export const cannotWrite = [...cannotRead, 'server_is_disabled', ...allBusyCodes] as const
