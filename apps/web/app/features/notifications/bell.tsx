import { useQueryClient } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { aboutNotifications, aboutWallet } from '#app/api/stale-answers.ts'
import { listUserWallets } from '@wakestone/contract/accounts/users-routes'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import classes from './bell.module.css'
import { followUnread } from './follow-unread.ts'

/** The way to the notifications, with the number of unread ones, live. */
export function NotificationBell() {
  const { t } = useTranslation()
  const path = usePath()
  const unread = useUnread()
  return (
    <Link to={path('/notifications')} className={classes['bell']}>
      <IconBell size={20} stroke={1.7} aria-hidden="true" />
      {unread > 0 && (
        <span className={classes['count']} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      <span className="visually-hidden">
        {unread === 0 ? t('notifications.bell') : t('notifications.bellUnread', { count: unread })}
      </span>
    </Link>
  )
}

function useUnread(): number {
  const { id, unread_notifications } = useSignedInUser()
  const queries = useQueryClient()
  const [unread, setUnread] = useState(unread_notifications)
  const known = useRef(unread_notifications)
  useEffect(() => {
    return followUnread((count) => {
      setUnread(count)
      if (count !== known.current) void makeStale(queries, ...aboutNotifications(id))
      // What there is to read is mostly of money: balances on the page are as they are now.
      if (count > known.current) void makeStale(queries, ...aboutWallet(), answersOf(listUserWallets, { id }))
      known.current = count
    })
  }, [id, queries])
  return unread
}
