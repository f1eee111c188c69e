import { Link } from 'react-router'
import type { AdminUser } from '@wakestone/contract/admin/admin'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { UserBadges } from './user-badges.tsx'
import classes from './user-columns.module.css'

/** Who a user is, what is out of the ordinary about them, and since when they are here. */
export function useUserColumns(): Column<AdminUser>[] {
  const { t } = useTranslation()
  const path = usePath()
  const countryName = useCountryName()
  return [
    {
      key: 'user',
      header: t('admin.user'),
      phone: 'title',
      cell: (user) => (
        <div className={classes['who']}>
          <div className={classes['badges']}>
            <Link to={path(`/user/${user.id}`)}>{user.username}</Link>
            <UserBadges user={user} />
          </div>
          <span>{user.email}</span>
        </div>
      ),
    },
    { key: 'country', header: t('admin.country'), cell: (user) => countryName(user.country_code) },
    {
      key: 'since',
      header: t('admin.since'),
      align: 'end',
      cell: (user) => <DateTime value={user.created_at} />,
    },
  ]
}
