/** Signing in with a passkey: loaded when someone presses the button. */
import {
  beginPasskeyLogin,
  beginSecondPasskey,
  finishLoginWithPasskey,
  loginWithPasskey,
} from '@wakestone/contract/accounts/security-routes'
import { api } from '#app/api/client.ts'
import { signWithPasskey } from './ask.ts'

/** Without a name. @returns false when the visitor thought otherwise. */
export async function logInWithPasskey(): Promise<boolean> {
  const response = await signWithPasskey(await api(beginPasskeyLogin, {}))
  if (response === undefined) return false
  await api(loginWithPasskey, { body: { response } })
  return true
}

/** As the second step of a login. @returns false when the visitor thought otherwise. */
export async function goOnWithPasskey(): Promise<boolean> {
  const response = await signWithPasskey(await api(beginSecondPasskey, {}))
  if (response === undefined) return false
  await api(finishLoginWithPasskey, { body: { response } })
  return true
}
