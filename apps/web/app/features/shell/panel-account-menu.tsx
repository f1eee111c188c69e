import { Menu, useMantineColorScheme } from '@mantine/core'
import {
  IconBell,
  IconCheck,
  IconDeviceDesktop,
  IconHelp,
  IconLogout,
  IconMoon,
  IconShield,
  IconShieldLock,
  IconSun,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { Link, useRouteLoaderData } from 'react-router'
import { askForAdminPanel } from '#app/features/admin/ask-for-panel.ts'
import { changeLanguage } from '#app/features/session/change-language.ts'
import { logOut } from '#app/features/session/log-out.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { languageNames } from '#app/i18n/languages.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath, useSpokenLanguages } from '#app/i18n/use-format.ts'
import type { loader } from '#app/root.tsx'
import classes from './panel-frame.module.css'
import { useMainWallet } from './use-main-wallet.ts'

const schemes = [
  { value: 'light', icon: IconSun, text: 'shell.themeLight' },
  { value: 'dark', icon: IconMoon, text: 'shell.themeDark' },
  { value: 'auto', icon: IconDeviceDesktop, text: 'shell.themeSystem' },
] as const

/** Who is signed in: their own screens, the language and the look, and the way out. */
export function PanelAccountMenu() {
  const languages = useSpokenLanguages()
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const current = useLanguage()
  // Also in preview mode, which is left there.
  const isAdministrator = useRouteLoaderData<typeof loader>('root')?.adminSwitches != null
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const wallet = useMainWallet()
  const screens = [
    { to: '/account/settings', label: t('shell.accountSettings'), icon: IconUser },
    { to: '/account/settings/security', label: t('security.title'), icon: IconShieldLock },
    ...(wallet === undefined ? [] : [{ to: `/wallets/${wallet.id}`, label: t('shell.wallet'), icon: IconWallet }]),
    { to: '/account/settings/notifications', label: t('account.notifications'), icon: IconBell },
    { to: '/account/support', label: t('shell.help'), icon: IconHelp },
  ]
  const check = <IconCheck size={16} aria-hidden="true" />
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" className={classes['account']} aria-label={t('shell.account', { name: user.username })}>
          {user.username.slice(0, 1).toUpperCase()}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes['who']}>
          <strong>{user.username}</strong>
          <small>{user.email}</small>
        </div>
        <Menu.Divider />
        {screens.map((screen) => (
          <Menu.Item
            key={screen.to}
            component={Link}
            to={path(screen.to)}
            // It leads elsewhere; language and theme are seen at once, so the menu stays for those.
            closeMenuOnClick
            leftSection={<screen.icon size={16} aria-hidden="true" />}
          >
            {screen.label}
          </Menu.Item>
        ))}
        {isAdministrator && (
          <Menu.Item
            closeMenuOnClick
            leftSection={<IconShield size={16} aria-hidden="true" />}
            onClick={askForAdminPanel}
          >
            {t('adminPanel.label')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => void changeLanguage(language, user)}
            rightSection={language === current ? check : undefined}
          >
            {languageNames[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell.theme')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={<scheme.icon size={16} aria-hidden="true" />}
            rightSection={scheme.value === colorScheme ? check : undefined}
            onClick={() => setColorScheme(scheme.value)}
          >
            {t(scheme.text)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => void logOut(current)}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
