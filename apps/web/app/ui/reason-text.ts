import { useTranslation } from '#app/i18n/texts.tsx'

/** Reasons the contract's schemas and the API give; each has a text under `fields`. */
const knownReasons = [
  'username',
  'password_too_short',
  'password_too_long',
  'password_common',
  'password_wrong',
  'email',
  'server_name',
  'subdomain',
  'required',
  'taken',
  'email_taken',
  'terms',
  'amount',
  'digits',
  'nip',
  'tax_id',
  'postal_code',
  'too_long',
  'digits_wrong',
  'digits_six',
  'factor_code',
  'factor_wrong',
  'passkey_name',
  'passkey_known',
  'ticket_subject',
  'ticket_message',
  'reason',
  'caseId',
  'scopes',
  'address_range',
  'ssh_key',
  'ssh_private_key',
  'capability_name',
  'invitee',
  'invitee_unknown',
  'invitee_self',
  'invitee_has_access',
  'invitee_waiting',
  'start_flag',
  'description',
  'later_than_plan',
  'path',
  'property',
  'cron',
  'watched_line',
  'time_zone',
  'line',
  'url',
  'no_player_name',
  'one_line',
  'not_public',
  'past',
] as const
export type KnownReason = (typeof knownReasons)[number]
const isKnown = (reason: string): reason is KnownReason => knownReasons.includes(reason as KnownReason)

/** Says in the visitor's words why a value does not fit. */
export function useReasonText(): (reason: string | undefined) => string | undefined {
  const { t } = useTranslation()
  return (reason) => (reason === undefined ? undefined : t(`fields.${isKnown(reason) ? reason : 'invalid'}`))
}
