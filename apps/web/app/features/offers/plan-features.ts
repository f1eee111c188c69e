import type { Plan } from '#app/features/offers/offer-prices.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'

/** What comes with every plan. Only what the product does today is named here, and pages name nothing else. */
export const includedFeatures = [
  'console',
  'backups',
  'graphs',
  'events',
  'address',
  'engines',
  'sharing',
  'gateway',
] as const

/** What a plan holds, as names and values in the order they are compared. */
export function usePlanFacts(): readonly { key: string; valueOf: (plan: Plan) => string }[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { key: t('home.memory'), valueOf: ({ parameters }) => format.bytes(parameters.memory) },
    { key: t('home.cpu'), valueOf: ({ parameters }) => t('offers.cores', { count: parameters.cpu }) },
    { key: t('home.disk'), valueOf: ({ parameters }) => format.bytes(parameters.storage) },
    {
      key: t('home.players'),
      valueOf: ({ parameters: { players } }) => (players === null ? t('home.unlimited') : format.number(players)),
    },
  ]
}
