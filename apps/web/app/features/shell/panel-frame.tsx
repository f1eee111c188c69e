import { engineName, serverPath } from '#app/features/servers/server-names.ts'
import { Burger, Drawer, Menu } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconPlus, IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useLocation } from 'react-router'
import type { Server } from '@wakestone/contract/servers/server'
import { serversQuery } from '#app/api/queries.ts'
import { Announcement } from '#app/features/announcement/announcement.tsx'
import { findHelp } from '#app/features/docs/help-pages.ts'
import { NotificationBell } from '#app/features/notifications/bell.tsx'
import { guardRouteChange } from '#app/features/route-alert/route-alert.ts'
import { FactorNudge } from '#app/features/session/factor-nudge.tsx'
import { ChangedTermsBanner } from '#app/features/terms/changed-terms-banner.tsx'
import { TermsWall } from '#app/features/terms/terms-wall.tsx'
import { UnconfirmedBanner } from '#app/features/session/unconfirmed-banner.tsx'
import { Survey } from '#app/features/survey/survey.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Brand } from '#app/ui/brand.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { HelpContext } from '#app/ui/help-link.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { findActive, type FrameContent, type NavItem } from './nav.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { PanelAccountMenu } from './panel-account-menu.tsx'
import { SkipLink } from './skip-link.tsx'
import classes from './panel-frame.module.css'
import { useFootItems, useFrameContent } from './use-frame-content.ts'
import { useMainWallet } from './use-main-wallet.ts'

const CommandPalette = lazy(() => import('./command-palette.tsx'))

/** Sidebar and top bar around every screen of the panel. */
export function PanelFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const content = useFrameContent()
  const [drawerOpen, drawer] = useDisclosure(false)
  const [paletteOpen, palette] = useDisclosure(false)
  const { pathname } = useLocation()
  const help = useHelp()
  const openPalette = () => {
    // Nothing outside is seen while the console fills the screen.
    if (document.fullscreenElement === null) palette.open()
    else void document.exitFullscreen().then(palette.open, palette.open)
  }
  useHotkeys([['mod+K', paletteOpen ? palette.close : openPalette]], [])
  const { close: closeDrawer } = drawer
  useEffect(() => closeDrawer(), [closeDrawer, pathname])
  return (
    <div className={classes['frame']}>
      <SkipLink />
      <aside
        className={classes['sidebar']}
        aria-label={t('shell.menu')}
        onClickCapture={guardRouteChange}
        data-panel-sidebar
      >
        <Sidebar content={content} />
      </aside>
      <Drawer
        opened={drawerOpen}
        onClose={drawer.close}
        onClickCapture={guardRouteChange}
        size={280}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Navigation content={content} />
      </Drawer>
      <div className={classes['body']}>
        <Announcement />
        <header className={classes['topbar']} onClickCapture={guardRouteChange}>
          <Burger
            className={classes['burger']}
            opened={drawerOpen}
            onClick={drawer.toggle}
            size="sm"
            aria-label={t('shell.menu')}
          />
          <button type="button" className={classes['search']} onClick={openPalette}>
            <IconSearch size={16} aria-hidden="true" />
            <span>{t('shell.search')}</span>
            <PaletteKey />
          </button>
          <div className={classes['tools']}>
            <WalletSummary />
            <NotificationBell />
            <PanelAccountMenu />
          </div>
        </header>
        <OfflineNotice />
        <UnconfirmedBanner />
        <FactorNudge />
        <ChangedTermsBanner />
        <Survey />
        <main id="content" className={classes['main']}>
          <HelpContext value={help}>
            <TermsWall>{children}</TermsWall>
          </HelpContext>
        </main>
      </div>
      {paletteOpen && (
        <Suspense>
          <CommandPalette onClose={palette.close} />
        </Suspense>
      )}
    </div>
  )
}

/** Where the open screen is explained. */
function useHelp() {
  const { t } = useTranslation()
  const path = usePath()
  const page = findHelp(useLocation().pathname)
  return page === undefined ? undefined : { to: path(`/docs${page}`), label: t('docs.help') }
}

const never = () => () => {}
const hasCommandKey = () => /Mac|iPhone|iPad/.test(navigator.platform)

function PaletteKey() {
  const isMac = useSyncExternalStore(never, hasCommandKey, () => false)
  return <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
}

function Sidebar({ content }: { content: FrameContent }) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <>
      <Link to={path('')} className={classes['brand']} aria-label={t('brand.home')}>
        <Brand />
      </Link>
      <Navigation content={content} />
    </>
  )
}

function Navigation({ content }: { content: FrameContent }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const foot = useFootItems(useMainWallet())
  const groups = content.groups.filter(({ items }) => items.length > 0)
  const active = findActive([...groups.flatMap(({ items }) => items), ...foot], pathname)
  const list = useRef<HTMLDivElement>(null)
  // On a low screen the list scrolls by itself: the open screen's entry is in sight.
  useEffect(() => {
    const element = list.current
    if (element === null) return
    // Also when it becomes lower: what stands above and below it comes in later, and takes its room.
    const observer = new ResizeObserver(() =>
      element.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [pathname])
  return (
    <nav className={classes['nav']} aria-label={t('shell.navigation')}>
      <ServerSwitcher serverId={content.serverId} />
      <div ref={list} className={classes['groups']}>
        {groups.map((group, index) => (
          <div key={group.title ?? index} className={classes['group']}>
            {group.title !== undefined && <h2>{group.title}</h2>}
            <NavList items={group.items} active={active} />
          </div>
        ))}
      </div>
      <div className={classes['foot']}>
        <NavList items={foot} active={active} />
      </div>
    </nav>
  )
}

function NavList({ items, active }: { items: readonly NavItem[]; active: NavItem | undefined }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.to}>
          <Link to={item.to} className={classes['item']} aria-current={item === active ? 'page' : undefined}>
            <item.icon size={18} stroke={1.7} aria-hidden="true" />
            <span>{item.label}</span>
            {item.count !== undefined && <span className={classes['count']}>{item.count}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ServerSwitcher({ serverId }: { serverId: string | undefined }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  const open = servers.find((server) => server.id === serverId)
  if (servers.length === 0) return null
  return (
    <Menu position="bottom-start" width={232} offset={6}>
      <Menu.Target>
        <button type="button" className={classes['switcher']}>
          {open === undefined ? <strong>{t('shell.chooseServer')}</strong> : <ServerLine server={open} />}
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes['switcherList'] ?? ''}>
        {servers.map((server) => (
          <Menu.Item key={server.id} component={Link} to={serverPath(server)}>
            <ServerLine server={server} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={path('/s')}>
          {t('shell.allServers')}
        </Menu.Item>
        <Menu.Item component={Link} to={path('/create')} leftSection={<IconPlus size={16} aria-hidden="true" />}>
          {t('shell.newServer')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ServerLine({ server }: { server: Server }) {
  return (
    <span className={classes['server']}>
      <NamePixels name={server.id} size={28} />
      <span className={classes['serverWords']}>
        <strong>{server.name}</strong>
        <small>
          {engineName(server.parameters.engine)} {server.parameters.engine_version}
        </small>
      </span>
    </span>
  )
}

function WalletSummary() {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const wallet = useMainWallet()
  if (wallet === undefined) return null
  return (
    <div className={classes['wallet']}>
      <Link to={path(`/wallets/${wallet.id}`)} className={classes['balance']}>
        <span>{t('shell.wallet')}</span>
        <b>{format.money(wallet.balance)}</b>
      </Link>
      <LinkButton to={path(`/wallets/${wallet.id}/recharge`)} size="small">
        {t('shell.topUp')}
      </LinkButton>
    </div>
  )
}
