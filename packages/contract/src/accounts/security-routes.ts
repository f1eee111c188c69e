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
  summary: 'Which second factors the account has',
  access: { kind: 'user' },
  responses: { 200: securitySchema },
  errors: [],
})
export const beginTotp = defineRoute({
  method: 'POST',
  path: '/users/totp/begin',
  tag,
  summary: 'Make a secret for an authenticator app; nothing is asked until a code of it was confirmed',
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
  summary: 'Switch codes of an app on with the first one; recovery codes come once, with the first factor',
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
  summary: 'Switch codes of an app off',
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
  summary: 'Ten new recovery codes; those before are void',
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
  summary: 'What to ask an authenticator for a new passkey',
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
  summary: 'Keep a passkey under a name',
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
  summary: 'Name a passkey anew',
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
  summary: 'Forget a passkey',
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
  summary: 'What to ask an authenticator to sign in without a name',
  access: { kind: 'public' },
  responses: { 200: passkeyOptionsSchema },
  errors: [],
})
export const loginWithPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/passkey',
  tag,
  summary: 'Sign in with a passkey; no second step follows',
  access: { kind: 'public' },
  body: passkeyAnswerBody,
  responses: { 200: userSchema },
  errors: ['passkey_refused'],
})
export const getSecondStep = defineRoute({
  method: 'GET',
  path: '/users/login/second',
  tag,
  summary: 'What the login that waits in this browser may go on with',
  access: { kind: 'public' },
  responses: { 200: factorKindsSchema },
  errors: ['user_code_expired'],
})
export const finishLoginWithCode = defineRoute({
  method: 'POST',
  path: '/users/login/second/code',
  tag,
  summary: 'Second step of a login: a code of an app, or a recovery code',
  access: { kind: 'public' },
  body: factorCodeBody,
  responses: { 200: userSchema },
  errors: ['no_code', 'user_code_expired'],
})
export const beginSecondPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/second/passkey/begin',
  tag,
  summary: 'What to ask an authenticator in the second step of a login',
  access: { kind: 'public' },
  responses: { 200: passkeyOptionsSchema },
  errors: ['user_code_expired'],
})
export const finishLoginWithPasskey = defineRoute({
  method: 'POST',
  path: '/users/login/second/passkey',
  tag,
  summary: 'Second step of a login: a passkey',
  access: { kind: 'public' },
  body: passkeyAnswerBody,
  responses: { 200: userSchema },
  errors: ['passkey_refused', 'user_code_expired'],
})

export const getStepUp = defineRoute({
  method: 'GET',
  path: '/users/step-up',
  tag,
  summary: 'How this session can prove that it is the owner’s',
  access: { kind: 'user' },
  responses: { 200: stepUpSchema },
  errors: [],
})
export const stepUp = defineRoute({
  method: 'POST',
  path: '/users/step-up',
  tag,
  summary: `Prove it; good for ${stepUpMinutes} minutes`,
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
  summary: 'Mail a code to prove it with, to an account that has nothing else',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 201: null },
  errors: ['access_denied', 'email_already_sent'],
})
export const beginStepUpPasskey = defineRoute({
  method: 'POST',
  path: '/users/step-up/passkey/begin',
  tag,
  summary: 'What to ask an authenticator to prove it with',
  access: { kind: 'user' },
  beforeTerms: true,
  responses: { 200: passkeyOptionsSchema },
  errors: [],
})
