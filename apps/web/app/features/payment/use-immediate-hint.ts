import { useQuery } from '@tanstack/react-query'
import { withdrawalDays } from '@wakestone/contract/sales/withdrawal'
import { getEarlyStart } from '@wakestone/contract/sales/withdrawals-routes'
import { queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'

/**
 * What stands below the box that asks for what is bought to begin at once: what it changes, or that it has to be ticked.
 * @param begins when what is bought begins; now where missing. Nobody has to ask for what begins after the days to withdraw.
 */
export function useImmediateHint(begins?: string | null): string {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const { data } = useQuery(queryOf(getEarlyStart, { params: { id } }))
  const isLater = begins != null && Date.parse(begins) > Date.now() + withdrawalDays * 86_400_000
  return t(data?.required === true && !isLater ? 'withdraw.immediateNeeded' : 'withdraw.immediateHint')
}
