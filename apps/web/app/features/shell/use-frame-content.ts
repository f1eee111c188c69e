import {
  IconBuildingStore,
  IconHelp,
  IconHistory,
  IconPlus,
  IconServer,
  IconShield,
  IconTicket,
  IconUser,
  IconWallet,
  IconWorld,
} from '@tabler/icons-react'
import { accountScreens } from '#app/features/session/account-screens.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useMatches } from 'react-router'
import { canAnswerTickets, isAdmin } from '@wakestone/contract/capabilities'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { useUser } from '#app/features/session/use-user.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import type { FrameContent, FrameHandle, NavItem } from './nav.ts'

/** The sidebar of the open screen: the innermost route that has one of its own, else that of the whole panel. */
export function useFrameContent(): FrameContent {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const matches = useMatches()
  const user = useUser()
  for (const match of matches.toReversed()) {
    const handle = match.handle as Partial<FrameHandle> | undefined
    if (handle?.frame !== undefined && match.loaderData !== undefined)
      return handle.frame(match.loaderData as never, { t, path, language })
  }
  return {
    groups: [
      {
        items: [
          { to: path('/s'), label: t('shell.servers'), icon: IconServer, end: true },
          { to: path('/create'), label: t('shell.newServer'), icon: IconPlus },
          { to: path('/m'), label: t('nav.market'), icon: IconBuildingStore },
          // Whoever may not have one yet reads there what it is, and how to get it.
          { to: path('/c'), label: t('websites.title'), icon: IconWorld },
          { to: path('/voucher/use'), label: t('vouchers.nav'), icon: IconTicket },
          { to: path('/account/events'), label: t('events.title'), icon: IconHistory },
        ],
      },
      ...(isAdmin(user?.user_capabilities ?? {})
        ? [{ items: [{ to: path('/admin'), label: t('shell.admin'), icon: IconShield }] }]
        : canAnswerTickets(user?.user_capabilities ?? {})
          ? [{ items: [{ to: path('/admin/tickets'), label: t('desk.title'), icon: IconShield }] }]
          : []),
    ],
  }
}

/** What is one click away from everywhere in the panel. */
export function useFootItems(wallet: Wallet | undefined): NavItem[] {
  const { t } = useTranslation()
  const path = usePath()
  return [
    ...(wallet === undefined
      ? []
      : [{ to: path(`/wallets/${wallet.id}`), label: t('shell.wallet'), icon: IconWallet }]),
    {
      to: path('/account/settings'),
      label: t('shell.accountSettings'),
      icon: IconUser,
      also: accountScreens.map((screen) => path(screen.path)),
    },
    { to: path('/account/support'), label: t('shell.help'), icon: IconHelp },
  ]
}
