/** Plain values that pages need without the schemas: what is only shown does not carry zod into the browser. */
export const languages = ['en', 'pl', 'de'] as const
export type Language = (typeof languages)[number]

/** Currencies wallets are offered in. */
export const walletCurrencies = ['PLN', 'EUR', 'USD'] as const
export type Currency = (typeof walletCurrencies)[number]

export const billingPeriods = ['720h', '2160h', '8760h'] as const
export type BillingPeriod = (typeof billingPeriods)[number]
export function hoursOfPeriod(period: BillingPeriod): number {
  return Number.parseInt(period, 10)
}

/** Why a game crashed; the first ones are tags of the specification. */
export const crashTags = [
  'forge_missing_mod',
  'out_of_memory',
  'forge_mod_load',
  'fabric_mod_load',
  'fabric_incompatible_mods',
  'version_downgrade',
  'wrong_java',
  'java_options',
  'java_fault',
  'killed_for_memory',
  'thread_limit',
  'watchdog',
  'plugin_missing_dependency',
  'ticking_entity',
  'port_taken',
  'eula',
  'world_locked',
  'disk_full',
  'unknown',
] as const
export type CrashTag = (typeof crashTags)[number]

/** Topics of support tickets, in the order they are offered. */
export const ticketTopics = [
  'server_problem',
  'payments',
  'offer',
  'backup',
  'site_problem',
  'sponsoring',
  'other',
] as const
export type TicketTopic = (typeof ticketTopics)[number]
export const ticketStatuses = ['NEW', 'OPEN', 'PENDING', 'SOLVED', 'CLOSED'] as const
export type TicketStatus = (typeof ticketStatuses)[number]
/** States that lists of tickets are narrowed to. */
export const ticketListStates = ['new', 'pending', 'open'] as const
export type TicketListState = (typeof ticketListStates)[number]
export const ticketSatisfactions = ['good', 'bad'] as const
export type TicketSatisfaction = (typeof ticketSatisfactions)[number]
/** Lengths of what is written in a ticket, in characters; files of one message, and their bytes. */
export const ticketLimits = {
  subject: { min: 3, max: 120 },
  message: { min: 10, max: 5000 },
  answer: 10_000,
  files: 5,
  pictureBytes: 5 * 1024 * 1024,
  textBytes: 1024 * 1024,
  macros: 200,
} as const
/** Within so many hours of its end a wait for an answer counts as soon over. */
export const answerSoonHours = 4

/** How likely somebody is to recommend the product: the least and the most that a review may say. */
export const reviewRates = { min: 0, max: 10 } as const
/** What a review may complain about. */
export const reviewCauses = [
  'server_crashes',
  'lag',
  'fails_to_start',
  'unknown_errors',
  'slow_load',
  'ftp_issues',
  'package_issues',
  'few_management_options',
  'unintuitive_interface',
  'other',
] as const
/** What it may praise. */
export const reviewAdvantages = [
  'easy_to_use',
  'fast',
  'stable',
  'helpful_support',
  'many_features',
  'good_price',
  'intuitive',
  'easy_mod_install',
  'ddos_protection',
  'other',
] as const
/** How old its writer is, in groups: nobody's birthday is needed. */
export const reviewAges = ['under_13', '13_17', '18_24', '25_34', '35_and_over'] as const
export const reviewCommentLimit = 2000
/** Nobody is asked again before so many days have gone by. */
export const surveyDays = 90
