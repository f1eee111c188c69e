import { useTranslation } from '#app/i18n/texts.tsx'
import type { Plan } from '#app/features/offers/offer-prices.ts'
import { useFormat } from '#app/i18n/use-format.ts'

/** What a plan holds, as names and values in the order they are compared; `isComing` is not to be had yet. */
export function usePlanFacts(): readonly { key: string; isComing: boolean; valueOf: (plan: Plan) => string }[] {
  const { t } = useTranslation()
  const format = useFormat()
  const after = (minutes: number | null) => (minutes === null ? t('offers.never') : format.duration(minutes * 60))
  return [
    { key: t('home.memory'), isComing: false, valueOf: ({ parameters }) => format.bytes(parameters.memory) },
    { key: t('home.cpu'), isComing: false, valueOf: ({ parameters }) => t('offers.cores', { count: parameters.cpu }) },
    { key: t('home.disk'), isComing: false, valueOf: ({ parameters }) => format.bytes(parameters.storage) },
    {
      key: t('home.players'),
      isComing: false,
      valueOf: ({ parameters: { players } }) => (players === null ? t('home.unlimited') : format.number(players)),
    },
    { key: t('offers.light'), isComing: true, valueOf: ({ parameters }) => after(parameters.sleep.light) },
    { key: t('offers.deep'), isComing: true, valueOf: ({ parameters }) => after(parameters.sleep.deep) },
  ]
}
