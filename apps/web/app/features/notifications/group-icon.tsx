import {
  IconCreditCard,
  IconHourglass,
  IconLifebuoy,
  IconPackage,
  IconServer,
  IconShield,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { kindSpecs, type NotificationKind } from '@wakestone/contract/ground/notification-kinds'
import type { NotificationGroup } from '@wakestone/contract/ground/notification-kinds/kind'
import classes from './group-icon.module.css'

const icons: Record<NotificationGroup, Icon> = {
  security: IconShield,
  account: IconUser,
  payments: IconCreditCard,
  services: IconHourglass,
  servers: IconServer,
  players: IconUsers,
  support: IconLifebuoy,
  marketplace: IconPackage,
}

/** What a notification is about, by a picture; what matters most has the colour of danger. */
export function GroupIcon({ kind }: { kind: NotificationKind }) {
  const { group, importance } = kindSpecs[kind]
  const Picture = icons[group]
  return (
    <span className={classes['icon']} data-importance={importance} aria-hidden="true">
      <Picture size={18} stroke={1.7} />
    </span>
  )
}
