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

const none = '–'

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

/** Extras that only some plans include, as numbers; 0 means none. */
export const extraFacts: readonly {
  key: 'ownBackups' | 'names' | 'ports' | 'mysql'
  of: (plan: Pick<Plan, 'parameters'>) => number
  isBytes?: true
}[] = [
  { key: 'ownBackups', of: ({ parameters }) => parameters.backups?.manual ?? 0 },
  { key: 'names', of: ({ parameters }) => parameters.names ?? 0 },
  { key: 'ports', of: ({ parameters }) => parameters.ports ?? 0 },
  { key: 'mysql', of: ({ parameters }) => parameters.mysql ?? 0, isBytes: true },
]

/** Formats the value of an extra. */
export function useExtraFact() {
  const format = useFormat()
  return ({ isBytes }: (typeof extraFacts)[number], value: number) =>
    value === 0 ? none : isBytes ? format.bytes(value) : format.number(value)
}

/** All that plans differ in, for those who compare them. */
export function useAllPlanFacts(): readonly PlanFact[] {
  const { t } = useTranslation()
  const write = useExtraFact()
  return [
    ...usePlanFacts(),
    {
      key: t('offers.facts.backups'),
      valueOf: ({ parameters: { backups } }) =>
        backups === undefined
          ? none
          : t('offers.facts.backupsRule', { hours: backups.every_hours, count: backups.keep_daily_days }),
    },
    ...extraFacts.map((fact) => ({
      key: t(`offers.facts.${fact.key}`),
      valueOf: (plan: Plan) => write(fact, fact.of(plan)),
    })),
    {
      key: t('offers.facts.sleep'),
      valueOf: ({ parameters: { sleep } }) =>
        sleep.light === null ? t('offers.facts.never') : t('offers.facts.after', { minutes: sleep.light }),
    },
  ]
}
