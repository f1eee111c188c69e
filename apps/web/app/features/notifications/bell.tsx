import { useQueryClient } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
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
      if (count !== known.current) void queries.invalidateQueries({ queryKey: ['users', id, 'notifications'] })
      known.current = count
    })
  }, [id, queries])
  return unread
}
