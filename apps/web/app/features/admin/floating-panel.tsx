import { Switch } from '@mantine/core'
import { IconShield, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { hasCapability } from '@wakestone/contract/capabilities'
import { Link, useMatches, useRevalidator, useRouteLoaderData } from 'react-router'
import { forgetCookie, writePreferenceCookie } from '#app/i18n/cookies.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import type { loader } from '#app/root.tsx'
import { adminPanelAsked } from './ask-for-panel.ts'
import { type AdminSwitch, type AdminSwitches, adminSwitches, switchCookie } from './admin-switches.ts'
import classes from './floating-panel.module.css'

/**
 * An administrator's own corner on every page. It stays in preview mode, which is left here. Its button stands in the
 * panel's sidebar; where there is none, it would cover the page, and the account's menu opens it.
 */
export default function FloatingPanel({ switches, userId }: { switches: AdminSwitches; userId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const id = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  useEffect(() => {
    const open = () => {
      setOpen(true)
      // After the menu that it came from has given the focus back.
      setTimeout(() => box.current?.focus(), 150)
    }
    addEventListener(adminPanelAsked, open)
    return () => removeEventListener(adminPanelAsked, open)
  }, [])
  // On the window: the focus moves into the panel only a moment after it opens.
  useEffect(() => {
    if (!isOpen) return
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    addEventListener('keydown', closeByKey)
    return () => removeEventListener('keydown', closeByKey)
  }, [isOpen])
  return (
    <aside className={classes['panel']} aria-label={t('adminPanel.label')} data-admin-panel>
      {isOpen && (
        <div ref={box} id={id} className={classes['box']} tabIndex={-1}>
          <div className={classes['head']}>
            <h2>{t('adminPanel.label')}</h2>
            <button type="button" className={classes['close']} aria-label={t('common.close')} onClick={close}>
              <IconX size={18} aria-hidden="true" />
            </button>
          </div>
          {adminSwitches.map((name) => (
            <PanelSwitch key={name} name={name} startsOn={switches[name]} />
          ))}
          <nav className={classes['links']} aria-label={t('adminPanel.links')}>
            <Link to={path('/admin')}>{t('shell.admin')}</Link>
            <PanelLinks />
            <Link to={path(`/user/${userId}`)}>{t('adminPanel.ownAccount')}</Link>
          </nav>
          {switches.debug && <DebugFacts userId={userId} />}
        </div>
      )}
      <button
        ref={toggle}
        type="button"
        className={classes['toggle']}
        data-preview={switches.preview || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={t('adminPanel.label')}
        onClick={() => setOpen(!isOpen)}
      >
        <IconShield size={20} aria-hidden="true" />
      </button>
    </aside>
  )
}

/** What may be made, and the server that is looked at: as administrators see it. */
function PanelLinks() {
  const { t } = useTranslation()
  const path = usePath()
  const { user_capabilities } = useSignedInUser()
  const server = useRouteLoaderData<{ serverId?: string }>('screens/server/layout')
  return (
    <>
      {hasCapability(user_capabilities, 'admin.vouchers.generate') && (
        <Link to={path('/admin/create-new-voucher')}>{t('makeVouchers.title')}</Link>
      )}
      {server?.serverId !== undefined && hasCapability(user_capabilities, 'admin.server') && (
        <Link to={path(`/admin/servers/${server.serverId}`)}>{t('adminPanel.server')}</Link>
      )}
    </>
  )
}

function PanelSwitch({ name, startsOn }: { name: AdminSwitch; startsOn: boolean }) {
  const { t } = useTranslation()
  const { revalidate } = useRevalidator()
  const [isOn, setOn] = useState(startsOn)
  const change = (on: boolean) => {
    setOn(on) // at once: the page follows when its data have come
    if (on) writePreferenceCookie(switchCookie(name), '1')
    else forgetCookie(switchCookie(name))
    // Folders are listed by whatever is open: it begins anew.
    if (name === 'hiddenFolders') location.reload()
    else void revalidate()
  }
  return (
    <Switch
      label={t(`adminPanel.${name}`)}
      description={t(`adminPanel.${name}Hint`)}
      checked={isOn}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
}

/** What helps to tell where one is, when something is not as it should be. */
function DebugFacts({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const matches = useMatches()
  const build = useRouteLoaderData<typeof loader>('root')?.build
  const facts = [
    { key: t('adminPanel.build'), value: build === undefined ? '' : `${build.version} · ${build.date}` },
    { key: t('adminPanel.route'), value: matches.at(-1)?.id ?? '' },
    { key: t('adminPanel.user'), value: userId },
  ]
  return (
    <dl className={classes['debug']}>
      {facts.map(({ key, value }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
