/**
 * Codes of mailed links: signed, so that nothing stored opens anything.
 */
import { isSameText, signCode } from '@wakestone/kit/signed-code'
import type { Context } from '#src/context.ts'

type Keys = Pick<Context, 'secrets'>

function sign({ secrets }: Keys, purpose: 'confirm' | 'unsubscribe', name: string): string {
  return signCode(secrets.mailLinks, name, `newsletter_${purpose}|${name}`)
}

function isSigned(keys: Keys, purpose: 'confirm' | 'unsubscribe', name: string, given: string): boolean {
  return isSameText(sign(keys, purpose, name), given)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** For one request of one subscription. */
export function confirmCode(keys: Keys, { id, request_id }: { id: string; request_id: string }): string {
  return sign(keys, 'confirm', `${id}.${request_id}`)
}

export function readConfirmCode(keys: Keys, given: string): { id: string; requestId: string } | undefined {
  const [id = '', requestId = ''] = given.split('.')
  if (!uuid.test(id) || !uuid.test(requestId)) return undefined
  return isSigned(keys, 'confirm', `${id}.${requestId}`, given) ? { id, requestId } : undefined
}

/** Good for ever: whoever finds an old mail can still leave. */
export function unsubscribeCode(keys: Keys, { id }: { id: string }): string {
  return sign(keys, 'unsubscribe', id)
}

export function readUnsubscribeCode(keys: Keys, given: string): string | undefined {
  const [id = ''] = given.split('.')
  return uuid.test(id) && isSigned(keys, 'unsubscribe', id, given) ? id : undefined
}
