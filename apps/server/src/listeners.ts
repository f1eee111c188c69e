/** Which higher features listen to what lower ones announce. Loaded with the context, and by programs without one that write. */
import { eventRecorded } from '#src/features/ground/events/service.ts'
import { queueEvent } from '#src/features/ground/webhooks/service.ts'
import { salePaid } from '#src/features/money/payments/service.ts'
import { moneyReturned, returnUndone } from '#src/features/money/refunds/service.ts'
import { reverseRewardsOf, spendBonusHour } from '#src/features/sales/referrals/service.ts'
import { takeMoneyReturned, takeReturnUndone, takeSalePaid } from '#src/features/sales/shop/service.ts'
import { bonusHourTaken } from '#src/features/servers/free-play/service.ts'

eventRecorded.listen(queueEvent)
moneyReturned.listen((trx, { depositId, refunded, now }) => reverseRewardsOf(trx, depositId, { refunded, now }))
moneyReturned.listen(takeMoneyReturned)
returnUndone.listen(takeReturnUndone)
salePaid.listen(takeSalePaid)
bonusHourTaken.listen(spendBonusHour)
