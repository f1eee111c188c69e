/** Which higher features listen to what lower ones announce. Loaded with the context, so in every process. */
import { moneyReturned } from '#src/features/money/refunds/service.ts'
import { reverseRewardsOf, spendBonusHour } from '#src/features/sales/referrals/service.ts'
import { bonusHourTaken } from '#src/features/servers/free-play/service.ts'

moneyReturned.listen((trx, { depositId, refunded, now }) => reverseRewardsOf(trx, depositId, { refunded, now }))
bonusHourTaken.listen(spendBonusHour)
