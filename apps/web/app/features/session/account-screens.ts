export const accountGroups = ['profile', 'money', 'friends', 'programs'] as const

/** Screens of an account, in their order. */
export const accountScreens = [
  { group: 'profile', path: '/account/settings', label: 'account.general' },
  { group: 'profile', path: '/account/settings/security', label: 'security.title' },
  { group: 'profile', path: '/account/settings/notifications', label: 'account.notifications' },
  { group: 'profile', path: '/account/settings/consents', label: 'consents.title' },
  { group: 'money', path: '/account/invoices', label: 'invoices.title' },
  { group: 'money', path: '/account/settings/invoice', label: 'invoiceData.title' },
  { group: 'money', path: '/account/bills', label: 'account.bills' },
  { group: 'friends', path: '/account/referrals', label: 'account.invitations' },
  { group: 'programs', path: '/account/settings/api-keys', label: 'apiKeys.title' },
  { group: 'programs', path: '/account/settings/webhooks', label: 'webhooks.title' },
] as const
