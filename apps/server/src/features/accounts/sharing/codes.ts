/** Codes of mailed invitations: signed, for one invitation at one address, so that nothing stored opens anything. */
import { isSameText, signCode } from '@wakestone/kit/signed-code'
import type { Context } from '#src/context.ts'

type Keys = Pick<Context, 'secrets'>
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param address where the mail goes: the code dies when the invited account gets another one. */
export function invitationCode({ secrets }: Keys, { id, address }: { id: string; address: string }): string {
  return signCode(secrets.mailLinks, id, `server_invitation|${id}|${address.toLowerCase()}`)
}

/** @returns id of the invitation a code claims to be of; nothing is proved yet. */
export function invitationOf(code: string): string | undefined {
  const [id = ''] = code.split('.')
  return uuid.test(id) ? id : undefined
}

export function isCodeOf(keys: Keys, given: string, invitation: { id: string; address: string }): boolean {
  return isSameText(invitationCode(keys, invitation), given)
}
