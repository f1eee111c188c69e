/** Screens of an account, in their order. */
export const accountScreens = [
  { path: '/account/settings', label: 'account.general' },
  { path: '/account/settings/security', label: 'security.title' },
  { path: '/account/settings/notifications', label: 'account.notifications' },
  { path: '/account/referrals', label: 'account.invitations' },
  { path: '/account/invoices', label: 'invoices.title' },
  { path: '/account/bills', label: 'account.bills' },
  { path: '/account/settings/api-keys', label: 'apiKeys.title' },
  { path: '/account/settings/webhooks', label: 'webhooks.title' },
  { path: '/account/settings/consents', label: 'consents.title' },
] as const
