/** Which higher features listen to what lower ones announce. Loaded with the context, so in every process. */
import { moneyReturned } from '#src/features/money/refunds/service.ts'
import { reverseRewardsOf } from '#src/features/sales/referrals/service.ts'

moneyReturned.listen((trx, { depositId, refunded, now }) => reverseRewardsOf(trx, depositId, { refunded, now }))
