import { docTitles } from 'virtual:doc-titles'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconBuildingStore,
  IconCheck,
  IconDeviceDesktop,
  IconBell,
  IconHelp,
  IconHistory,
  IconLanguage,
  IconLogout,
  IconHeart,
  IconShield,
  IconMoon,
  IconPackages,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
  IconPlus,
  IconRefresh,
  IconServer,
  IconSun,
  IconTicket,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { canPowerServer, isAdmin } from '@wakestone/contract/capabilities'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState, powerActionsByState } from '@wakestone/contract/states'
import type { ReactNode } from 'react'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useNavigate, useParams } from 'react-router'
import { serversQuery, walletsQuery } from '#app/api/queries.ts'
import { listAdminScreens } from '#app/features/admin/admin-frame.ts'
import { isNamedBy } from '#app/features/servers/is-named-by.ts'
import { screensFor } from '#app/features/servers/server-screens.ts'
import { useAccountScreens } from '#app/features/session/account-screens.ts'
import { powerServer, usualWarning } from '#app/features/power/use-power.ts'
import { changeLanguage } from '#app/features/session/change-language.ts'
import type { NavItem } from '#app/features/shell/nav.ts'
import { paletteWords } from '#app/features/shell/palette-words.ts'
import { logOut } from '#app/features/session/log-out.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { languageNames } from '#app/i18n/languages.ts'
import { useLanguage, usePath, useSpokenLanguages } from '#app/i18n/use-format.ts'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'

export type Command = {
  id: string
  group: string
  label: string
  hint?: string
  /** What else it is found by. */
  words?: string | undefined
  /** Found by typing only. */
  isQuiet?: boolean
  /** Read only. */
  isReading?: boolean
  icon: ReactNode
  run: () => void
}

/** Everything that can be reached or done from the keyboard. `close` is called before any of it happens. */
export function useCommands(close: () => void): Command[] {
  const { t } = useTranslation()
  const screens = useScreenCommands(close)
  const servers = useServerCommands(close)
  const docs = useDocCommands(close)
  return [...servers.screens, ...screens, ...servers.actions, ...useActionCommands(close), ...docs].map((command) => ({
    ...command,
    group: t(`palette.${command.group}`),
  }))
}

type Draft = Omit<Command, 'group'> & { group: 'servers' | 'screens' | 'actions' | 'docs' }

function useGo(close: () => void) {
  const navigate = useNavigate()
  return (to: string) => () => {
    close()
    void navigate(to)
  }
}

/** What else people call a screen or an action. */
function useWords() {
  const { t } = useTranslation()
  return (of: string) => {
    const key = paletteWords[of]
    return key === undefined ? undefined : t(key)
  }
}

const icon = { size: 18, 'aria-hidden': true } as const
const actionIcons = {
  start: <IconPlayerPlayFilled {...icon} />,
  stop: <IconPlayerStopFilled {...icon} />,
  restart: <IconRefresh {...icon} />,
}

/** The servers, and what each allows in its state. Kill is not offered: it wants a name to be typed. */
function useServerCommands(close: () => void): { screens: Draft[]; actions: Draft[] } {
  const { t } = useTranslation()
  const go = useGo(close)
  const wordsOf = useWords()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const { identity } = useParams()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  const isOpen = (server: Server) => isNamedBy(server, identity)
  const screens = servers.flatMap((server): Draft[] => [
    {
      id: server.id,
      group: 'servers',
      label: server.name,
      hint: server.address,
      icon: <NamePixels name={server.id} size={20} />,
      run: go(serverPath(server)),
    },
    ...screensFor(user, server)
      .filter(({ path }) => path !== '')
      .map(({ path, label, icon: Icon }) => ({
        id: `${server.id}${path}`,
        group: 'servers' as const,
        label: t('palette.screen', { name: server.name, screen: t(label) }),
        words: wordsOf(`/s/:id${path}`),
        isQuiet: !isOpen(server),
        icon: <Icon {...icon} />,
        run: go(`${serverPath(server)}${path}`),
      })),
  ])
  const actions = servers.flatMap((server): Draft[] => {
    if (!canPowerServer(user.user_capabilities, server.user_capabilities)) return []
    const open = powerActionsByState[panelState(server.status)]
    return (['start', 'stop', 'restart'] as const)
      .filter((action) => open.includes(action))
      .map((action) => {
        const inSeconds = action === 'start' ? 0 : usualWarning(server.status.players.online)
        return {
          id: `${server.id}/${action}`,
          group: 'actions',
          label: t(`palette.${action}`, { name: server.name }),
          isQuiet: !isOpen(server),
          icon: actionIcons[action],
          ...(inSeconds > 0 && { hint: t('server.playersOn.inMinutes', { count: inSeconds / 60 }) }),
          run: () => {
            close()
            powerServer(queries, server.id, { action, inSeconds }).catch((error: unknown) =>
              showErrorToast(error, t('server.actionFailed')),
            )
          },
        }
      })
  })
  return { screens, actions }
}

function useScreenCommands(close: () => void): Draft[] {
  const { t } = useTranslation()
  const path = usePath()
  const go = useGo(close)
  const wordsOf = useWords()
  const user = useSignedInUser()
  const { data: wallets = [] } = useQuery(walletsQuery(user.id))
  const accountScreens = useAccountScreens()
  const adminScreens = listAdminScreens(t).filter(({ to }) => to !== '/admin')
  const screen = (id: string, label: string, to: string, Icon: NavItem['icon'], hint?: string): Draft => ({
    id,
    group: 'screens',
    label,
    words: wordsOf(to),
    icon: <Icon {...icon} />,
    run: go(path(to)),
    ...(hint === undefined ? {} : { hint }),
  })
  return [
    screen('servers', t('shell.servers'), '/s', IconServer),
    screen('create', t('shell.newServer'), '/create', IconPlus),
    screen('market', t('nav.market'), '/m', IconBuildingStore),
    { ...screen('follows', t('market.follows.title'), '/m/follows', IconHeart, t('nav.market')), isQuiet: true },
    {
      ...screen('projects', t('market.ownProjects'), `/m/${user.id}/projects`, IconPackages, t('nav.market')),
      isQuiet: true,
    },
    screen('voucher', t('vouchers.title'), '/voucher/use', IconTicket),
    ...wallets.flatMap((wallet, index) => [
      {
        ...screen(wallet.id, t('wallet.title', { currency: wallet.currency }), `/wallets/${wallet.id}`, IconWallet),
        words: wordsOf('/wallets/:id'),
        isQuiet: index > 0,
      },
      {
        ...screen(`${wallet.id}/+`, t('recharge.title'), `/wallets/${wallet.id}/recharge`, IconPlus, wallet.currency),
        words: wordsOf('/wallets/:id/recharge'),
        isQuiet: index > 0,
      },
    ]),
    screen('notifications', t('notifications.title'), '/notifications', IconBell),
    ...accountScreens.map(({ path: to, label }, index) => ({
      ...(index === 0
        ? screen(to, t('shell.accountSettings'), to, IconUser)
        : screen(to, t(label), to, IconUser, t('shell.accountSettings'))),
      isQuiet: index > 0,
    })),
    {
      ...screen('account/events', t('events.title'), '/account/events', IconHistory, t('shell.accountSettings')),
      isQuiet: true,
    },
    screen('help', t('shell.help'), '/account/support', IconHelp),
    ...(isAdmin(user.user_capabilities)
      ? [
          screen('admin', t('shell.admin'), '/admin', IconShield),
          ...adminScreens.map(({ to, label, icon: Icon }) => ({
            ...screen(to, label, to, Icon, t('shell.admin')),
            isQuiet: true,
          })),
        ]
      : []),
  ]
}

/** Pages of the documentation: the guide, and those of operators for who is one. */
function useDocCommands(close: () => void): Draft[] {
  const { t } = useTranslation()
  const path = usePath()
  const language = useLanguage()
  const go = useGo(close)
  const user = useSignedInUser()
  const pages = docTitles[language].filter(({ readers }) => readers === 'everyone' || isAdmin(user.user_capabilities))
  return [{ path: '', title: t('docs.title'), words: '' }, ...pages].map((page): Draft => ({
    id: `docs${page.path}`,
    group: 'docs',
    label: page.title,
    words: page.words,
    isQuiet: true,
    isReading: true,
    icon: <IconBook {...icon} />,
    run: go(path(`/docs${page.path}`)),
  }))
}

const schemes = [
  { value: 'light', Icon: IconSun, text: 'shell.themeLight' },
  { value: 'dark', Icon: IconMoon, text: 'shell.themeDark' },
  { value: 'auto', Icon: IconDeviceDesktop, text: 'shell.themeSystem' },
] as const

function useActionCommands(close: () => void): Draft[] {
  const { t } = useTranslation()
  const wordsOf = useWords()
  const user = useSignedInUser()
  const language = useLanguage()
  const languages = useSpokenLanguages()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return [
    ...schemes.map(({ value, Icon, text }): Draft => ({
      id: value,
      group: 'actions',
      label: t('palette.theme', { name: t(text) }),
      words: wordsOf('theme'),
      icon: value === colorScheme ? <IconCheck {...icon} /> : <Icon {...icon} />,
      run: () => {
        close()
        setColorScheme(value)
      },
    })),
    ...languages
      .filter((other) => other !== language)
      .map((other): Draft => ({
        id: other,
        group: 'actions',
        label: t('palette.language', { name: languageNames[other] }),
        words: wordsOf('language'),
        icon: <IconLanguage {...icon} />,
        run: () => void changeLanguage(other, user),
      })),
    {
      id: 'logout',
      group: 'actions',
      label: t('shell.logout'),
      words: wordsOf('logout'),
      icon: <IconLogout {...icon} />,
      run: () => void logOut(language),
    },
  ]
}
