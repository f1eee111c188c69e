/** Second factors, passkeys, and proofs before dangerous actions. All added to the calls of the specification. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  addedPasskeySchema,
  addPasskeyBody,
  factorCodeBody,
  factorKindsSchema,
  passkeyAnswerBody,
  passkeyOptionsSchema,
  recoveryCodesSchema,
  renamePasskeyBody,
  securitySchema,
  stepUpBody,
  stepUpMinutes,
  stepUpSchema,
  totpCodeBody,
  totpSetupSchema,
} from './security.ts'
import { userSchema } from './user.ts'

const tag = 'Security'
const passkeyParams = z.object({ passkeyId: idSchema })

export const getSecurity = defineRoute({
  method: 'GET',
  path: '/users/security',
  tag,
  summary: 'Get the second factors of the account',
  access: { kind: 'user' },
  responses: { 200: securitySchema },
  errors: [],
})
export const beginTotp = defineRoute({
  method: 'POST',
  path: '/users/totp/begin',
  tag,
  summary: 'Create a secret for an authenticator app. It takes effect once a code from the app is confirmed.',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  responses: { 200: totpSetupSchema },
  errors: ['resource_already_exists'],
})
export const confirmTotp = defineRoute({
  method: 'POST',
  path: '/users/totp',
  tag,
  summary:
    'Turn on the authenticator app by confirming its first code. Recovery codes are returned only with the account’s first second factor.',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  body: totpCodeBody,
  responses: { 200: z.object({ recovery_codes: z.array(z.string()).nullable() }) },
  errors: ['no_code', 'resource_already_exists', 'resource_not_found'],
})
export const removeTotp = defineRoute({
  method: 'DELETE',
  path: '/users/totp',
  tag,
  summary: 'Turn off the authenticator app',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/users/recovery_codes',
  tag,
  summary: 'Create ten new recovery codes. The old ones stop working.',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  responses: { 200: recoveryCodesSchema },
  errors: ['resource_not_found'],
})
export const beginPasskey = defineRoute({
  method: 'POST',
  path: '/users/passkeys/begin',
  tag,
  summary: 'Get the WebAuthn options for registering a passkey',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  responses: { 200: passkeyOptionsSchema },
  errors: [],
})
export const addPasskey = defineRoute({
  method: 'POST',
  path: '/users/passkeys',
  tag,
  summary: 'Add a passkey under a name. Recovery codes are returned only with the account’s first second factor.',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  body: addPasskeyBody,
  responses: { 200: addedPasskeySchema },
  errors: ['passkey_refused', 'resource_already_exists'],
})
export const renamePasskey = defineRoute({
  method: 'PATCH',
  path: '/users/passkeys/:passkeyId',
  tag,
  summary: 'Rename a passkey',
  access: { kind: 'user' },
  beforeTerms: true,
  params: passkeyParams,
  body: renamePasskeyBody,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const removePasskey = defineRoute({
  method: 'DELETE',
  path: '/users/passkeys/:passkeyId',
  tag,
  summary: 'Delete a passkey',
  access: { kind: 'user' },
  beforeTerms: true,
  stepUp: true,
  params: passkeyParams,
  responses: { 204: null },
  errors: ['resource_not_found'],
})

export const beginPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/users/login/passkey/begin',
  tag,
  summary: 'Get the WebAuthn options for logging in with a passkey. No user name is needed.',
  access: { kind: 'public' },
  responses: { 200: passkeyOptionsSchema },
  errors: [],
})
export const loginWithPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/passkey',
  tag,
  summary: 'Log in with a passkey. No second factor is asked for.',
  access: { kind: 'public' },
  body: passkeyAnswerBody,
  responses: { 200: userSchema },
  errors: ['passkey_refused'],
})
export const getSecondStep = defineRoute({
  method: 'GET',
  path: '/users/login/second',
  tag,
  summary: 'List the second factors available for the pending login in this browser',
  access: { kind: 'public' },
  responses: { 200: factorKindsSchema },
  errors: ['user_code_expired'],
})
export const finishLoginWithCode = defineRoute({
  method: 'POST',
  path: '/users/login/second/code',
  tag,
  summary: 'Complete a login with a code from an authenticator app or a recovery code',
  access: { kind: 'public' },
  body: factorCodeBody,
  responses: { 200: userSchema },
  errors: ['no_code', 'user_code_expired'],
})
export const beginSecondPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/second/passkey/begin',
  tag,
  summary: 'Get the WebAuthn options for the second step of a login',
  access: { kind: 'public' },
  responses: { 200: passkeyOptionsSchema },
  errors: ['user_code_expired'],
})
export const finishLoginWithPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/second/passkey',
  tag,
  summary: 'Complete a login with a passkey as the second factor',
  access: { kind: 'public' },
  body: passkeyAnswerBody,
  responses: { 200: userSchema },
  errors: ['passkey_refused', 'user_code_expired'],
})

export const getStepUp = defineRoute({
  method: 'GET',
  path: '/users/step-up',
  tag,
  summary: 'Get the ways to confirm the caller’s identity in this session',
  access: { kind: 'user' },
  responses: { 200: stepUpSchema },
  errors: [],
})
export const stepUp = defineRoute({
  method: 'POST',
  path: '/users/step-up',
  tag,
  summary: `Confirm the caller’s identity. Valid for ${stepUpMinutes} minutes.`,
  access: { kind: 'user' },
  beforeTerms: true,
  body: stepUpBody,
  responses: { 200: stepUpSchema },
  errors: [
    'access_denied',
    'invalid_user_password',
    'no_code',
    'passkey_refused',
    'second_factor_required',
    'user_code_expired',
  ],
})
export const mailStepUp = defineRoute({
  method: 'POST',
  path: '/users/step-up/mail',
  tag,
  summary: 'Send a confirmation code by e-mail, for accounts with no other way to confirm their identity',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 201: null },
  errors: ['access_denied', 'email_already_sent'],
})
export const beginStepUpPasskey = defineRoute({
  method: 'POST',
  path: '/users/step-up/passkey/begin',
  tag,
  summary: 'Get the WebAuthn options for confirming the caller’s identity with a passkey',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 200: passkeyOptionsSchema },
  errors: [],
})
