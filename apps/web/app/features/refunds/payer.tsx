import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import classes from './refunds.module.css'

/** Who paid: a user, or the buyer in a server's shop, who has no account, with whose shop it is. */
export function Payer({
  user,
  buyer,
}: {
  user: { id: string; username: string }
  buyer: { player: string; email: string | null } | null
}) {
  const { t } = useTranslation()
  const path = usePath()
  const account = <Link to={path(`/user/${user.id}?tab=transactions`)}>{user.username}</Link>
  if (buyer === null) return account
  return (
    <span className={classes['payer']}>
      {buyer.player}
      {buyer.email !== null && <Mail address={buyer.email} />}
      <span className={classes['why']}>
        {t('adminPayments.seller')} {account}
      </span>
    </span>
  )
}

/** An address that may break before its host, and otherwise stays whole. */
function Mail({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <span className={`${classes['why']} ${classes['mail']}`}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}
