import { useFlag } from '#app/features/flags/use-flag.ts'

export const accountGroups = ['profile', 'money', 'friends', 'programs'] as const

/** Screens of an account, in their order, each with what it says of itself below its title. */
export const accountScreens = [
  { group: 'profile', path: '/account/settings', label: 'account.general', text: 'account.text' },
  {
    group: 'profile',
    path: '/account/settings/security',
    label: 'security.title',
    text: 'pages.accountSecurity.description',
  },
  {
    group: 'profile',
    path: '/account/settings/notifications',
    label: 'account.notifications',
    text: 'notifications.settingsText',
  },
  { group: 'profile', path: '/account/settings/consents', label: 'consents.title', text: 'consents.text' },
  { group: 'money', path: '/account/invoices', label: 'invoices.title', text: 'pages.invoices.description' },
  {
    group: 'money',
    path: '/account/settings/invoice',
    label: 'invoiceData.title',
    text: 'pages.invoiceData.description',
  },
  { group: 'money', path: '/account/bills', label: 'account.bills', text: 'pages.bills.description' },
  { group: 'friends', path: '/account/referrals', label: 'account.invitations', text: 'pages.referrals.description' },
  { group: 'programs', path: '/account/settings/api-keys', label: 'apiKeys.title', text: 'apiKeys.text' },
  { group: 'programs', path: '/account/settings/webhooks', label: 'webhooks.title', text: 'webhooks.text' },
] as const

export type AccountScreen = (typeof accountScreens)[number]

/** Those that are offered: bills only while paying later is switched on. */
export function useAccountScreens(): readonly AccountScreen[] {
  const hidden = useFlag('pay-later') ? undefined : '/account/bills'
  return accountScreens.filter(({ path }) => path !== hidden)
}
