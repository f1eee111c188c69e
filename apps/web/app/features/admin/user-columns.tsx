import type { AdminUser } from '@wakestone/contract/admin/admin'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { RowName } from './row-name.tsx'
import { UserBadges } from './user-badges.tsx'

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
        <RowName
          to={path(`/user/${user.id}`)}
          name={user.username}
          address={user.email}
          badges={<UserBadges user={user} />}
        />
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
