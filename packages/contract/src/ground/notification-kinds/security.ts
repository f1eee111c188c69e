/** What tells of an account’s safety: mailed in any case, since an account must not be taken silently. */
import { everywhere, type KindSpec } from './kind.ts'

const security = { group: 'security', importance: 'high', channels: everywhere, fixed: ['panel', 'mail'] } as const
const secretMail = {
  group: 'security',
  importance: 'high',
  channels: ['mail'],
  fixed: ['mail'],
  mailOnly: true,
} as const

export const securityKinds = {
  ACCOUNT_EMAIL_CONFIRM: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  RESET_PASSWORD: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  FAST_LOGIN: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  FAST_REGISTER: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  ACCOUNT_EMAIL_CHANGE: { ...secretMail, fields: { link: 'text' }, secret: ['link'] },
  STEP_UP: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  ACCOUNT_DELETE_CONFIRM: { ...secretMail, fields: { code: 'text' }, secret: ['code'] },
  NEW_DEVICE: {
    ...security,
    fields: { country: 'country', ip: 'text', browser: 'device' },
    action: 'see_devices',
  },
  SESSION_STOLEN: { ...security, fields: {}, action: 'see_devices' },
  /** Somebody, perhaps its owner, tried to open a second account with the address. */
  ADDRESS_TRIED: { ...security, fields: {}, action: 'change_password' },
  PASSWORD_CHANGED: { ...security, fields: {}, action: 'change_password' },
  EMAIL_CHANGED: { ...security, fields: {}, action: 'open_settings' },
  /** `name` of a passkey comes with a space and brackets, or is empty. */
  FACTOR_ADDED: { ...security, fields: { factor: 'word', name: 'text' }, action: 'open_security' },
  FACTOR_REMOVED: { ...security, fields: { factor: 'word', name: 'text' }, action: 'open_security' },
  RECOVERY_CODES_NEW: { ...security, fields: {}, action: 'open_security' },
  RECOVERY_CODE_USED: { ...security, fields: { left: 'number' }, action: 'open_security' },
  SOCIAL_LINKED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  SOCIAL_UNLINKED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  SSH_KEY_ADDED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  API_KEY_CREATED: { ...security, fields: { name: 'text' }, action: 'open_settings' },
  DELETION_SCHEDULED: { ...security, fields: { at: 'time' }, action: 'keep_account' },
  ACCOUNT_SUSPENDED: { ...security, fields: { reason: 'text' }, action: 'write_to_us' },
  ACCOUNT_RESTORED: { ...security, fields: {}, action: 'open_account' },
} as const satisfies Record<string, KindSpec>
