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

type PlanFact = { key: string; valueOf: (plan: Plan) => string }

/** What a plan holds, as names and values in the order they are compared. */
export function usePlanFacts(): readonly PlanFact[] {
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

/** All that plans differ in, for those who compare them. */
export function useAllPlanFacts(): readonly PlanFact[] {
  const { t } = useTranslation()
  const format = useFormat()
  const none = '–'
  const count = (value: number | undefined) => (value ? format.number(value) : none)
  return [
    ...usePlanFacts(),
    {
      key: t('offers.facts.backups'),
      valueOf: ({ parameters: { backups } }) =>
        backups === undefined
          ? none
          : t('offers.facts.backupsRule', { hours: backups.every_hours, count: backups.keep_daily_days }),
    },
    { key: t('offers.facts.ownBackups'), valueOf: ({ parameters }) => count(parameters.backups?.manual) },
    { key: t('offers.facts.names'), valueOf: ({ parameters }) => count(parameters.names) },
    { key: t('offers.facts.ports'), valueOf: ({ parameters }) => count(parameters.ports) },
    {
      key: t('offers.facts.mysql'),
      valueOf: ({ parameters: { mysql } }) => (mysql ? format.bytes(mysql) : none),
    },
    {
      key: t('offers.facts.sleep'),
      valueOf: ({ parameters: { sleep } }) =>
        sleep.light === null ? t('offers.facts.never') : t('offers.facts.after', { minutes: sleep.light }),
    },
  ]
}
