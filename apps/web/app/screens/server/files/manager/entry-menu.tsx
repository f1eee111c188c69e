import { ActionIcon, Menu, type MenuProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '../files.module.css'
import type { EntryAction } from './use-entry-actions.tsx'

/** A menu within the manager, whose edges do not cut it off; the page's landmarks hold it. */
export function FileMenu(props: MenuProps) {
  return (
    <Menu withinPortal={false} floatingStrategy="fixed" withInitialFocusPlaceholder={false} zIndex={40} {...props} />
  )
}

/** Actions as the items of a menu. */
export function MenuActions({ actions }: { actions: readonly EntryAction[] }) {
  return actions.map((action, index) => (
    <MenuAction key={action.id} action={action} isApart={action.begins === true && index > 0} />
  ))
}

function MenuAction({
  action: { label, icon, keys, why, isDangerous, run },
  isApart,
}: {
  action: EntryAction
  isApart: boolean
}) {
  return (
    <>
      {isApart && <Menu.Divider />}
      <Menu.Item
        leftSection={<span className={classes['menuIcon']}>{icon}</span>}
        rightSection={keys === undefined ? undefined : <kbd className={classes['keys']}>{keys}</kbd>}
        data-danger={isDangerous}
        className={classes['menuItem']}
        aria-disabled={why === undefined ? undefined : true}
        closeMenuOnClick={why === undefined}
        onClick={() => {
          if (why === undefined) run()
        }}
      >
        {label}
        {why !== undefined && <small>{why}</small>}
      </Menu.Item>
    </>
  )
}

/** An action as its picture alone; its name on hover and to a screen reader. */
export function IconAction({ action: { label, icon, why, run }, size }: { action: EntryAction; size: number }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={size}
      className={classes['menuIcon']}
      aria-label={why === undefined ? label : `${label} — ${why}`}
      title={why ?? label}
      aria-disabled={why !== undefined || undefined}
      onClick={() => {
        if (why === undefined) run()
      }}
    >
      {icon}
    </ActionIcon>
  )
}

export type MenuPlace = { x: number; y: number }

/** A menu where the pointer is, or where the row is that the keyboard is on. */
export function ContextMenu({
  place,
  label,
  onClose,
  children,
}: {
  place: MenuPlace | null
  label: string
  onClose: () => void
  children: ReactNode
}) {
  if (place === null) return null
  return (
    <FileMenu opened onClose={onClose} position="bottom-start" width={260} offset={2}>
      <Menu.Target>
        <button
          type="button"
          className={classes['menuPlace']}
          style={{ left: place.x, top: place.y }}
          aria-label={label}
          tabIndex={-1}
        />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </FileMenu>
  )
}
