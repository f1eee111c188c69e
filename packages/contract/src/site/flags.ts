/**
 * Feature flags: every key with the schema of its value, what applies while it is off, and what it is for.
 * The server evaluates them, pages show what they say, administrators change them.
 */
import { z } from 'zod'
import { countries } from '../countries.ts'
import { idSchema, languageSchema } from '../primitives.ts'

const textSchema = z.string().trim().min(1).max(400).optional()
/**
 * What the operator tells visitors. One language is enough: who reads another is told in English where there is an English
 * text, and nothing where there is none (`toldIn`).
 */
const textsSchema = z
  .object({ en: textSchema, pl: textSchema, de: textSchema })
  .refine((texts) => Object.values(texts).some((text) => text !== undefined), { message: 'required' })
export type ToldTexts = z.output<typeof textsSchema>
/** A page of this site (`/offers`, without the language) or another site's address. */
const targetSchema = z.union([z.string().regex(/^\/(?![/\\])\S*$/), z.url({ protocol: /^https$/ })])

export const flagTypes = ['boolean', 'string', 'number', 'object'] as const
export type FlagType = (typeof flagTypes)[number]
type Flag = { type: FlagType; schema: z.ZodType; default: unknown; description: string }

export const flags = {
  'contest-event': {
    type: 'boolean',
    schema: z.boolean(),
    default: false,
    description: 'Shows the category and notices of a contest that is under way.',
  },
  'nps-age-input': {
    type: 'boolean',
    schema: z.boolean(),
    default: false,
    description: 'Asks for the user’s age in the satisfaction survey.',
  },
  'pay-later': {
    type: 'boolean',
    schema: z.boolean(),
    default: false,
    description: 'Experiment: offers to pay later.',
  },
  'redeem-free-server': {
    type: 'boolean',
    schema: z.boolean(),
    default: false,
    description: 'Experiment: offers a free trial server on the home page.',
  },
  'featured-projects': {
    type: 'object',
    schema: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/)).max(12),
    default: [] as string[],
    description: 'Slugs of the projects featured on the home page, in order. Empty: the built-in selection.',
  },
  'demo-server': {
    type: 'string',
    schema: z.string().regex(/^(?:[a-z0-9][a-z0-9-]{0,61}[a-z0-9])?$/),
    default: '',
    description: 'Name of a server that any visitor can join. The home page shows its address and status.',
  },
  'redirect-modal': {
    type: 'object',
    schema: z.object({ title: textsSchema, text: textsSchema, to: targetSchema }).nullable(),
    default: null,
    description: 'A dialog that invites visitors to continue to another page.',
  },
  'promotion-extra-code': {
    type: 'string',
    schema: z.string().regex(/^[A-Za-z0-9-]{0,64}$/),
    default: '',
    description: 'A code shown in promotions next to their own. Empty: none.',
  },
  'promotion-banner': {
    type: 'object',
    schema: z
      .object({ text: textsSchema, to: targetSchema.optional(), ends_at: z.iso.datetime().optional() })
      .nullable(),
    default: null,
    description: 'A banner for an offer on public pages. It disappears when the offer ends.',
  },
  'panel-announcement': {
    type: 'object',
    schema: z.object({ text: textsSchema, community_url: z.url({ protocol: /^https$/ }).optional() }).nullable(),
    default: null,
    description:
      'A message at the top of every page, with an optional link to the community. It can be closed for the session.',
  },
} as const satisfies Record<string, Flag>

export type FlagKey = keyof typeof flags
export type FlagValue<Key extends FlagKey> = z.output<(typeof flags)[Key]['schema']>
export type FlagValues = { [Key in FlagKey]: FlagValue<Key> }

/** A flag that is nothing by itself, such as a message without a text, cannot be turned on. */
export const hasNothingToTell = (
  key: FlagKey,
  { value, rules }: { value: unknown; rules: readonly { value: unknown }[] },
): boolean => flags[key].default === null && [value, ...rules.map((rule) => rule.value)].every((one) => one === null)

export const flagKeys = Object.keys(flags) as [FlagKey, ...FlagKey[]]

/** What applies while every flag is off. */
export function defaultFlagValues(): FlagValues {
  return Object.fromEntries(flagKeys.map((key) => [key, flags[key].default])) as FlagValues
}

/** Rules of one flag. */
export const mostFlagRules = 50

/** Who is given another value than everybody: all conditions that a rule names must hold, and the first such rule decides. */
export const flagRuleSchema = z
  .strictObject({
    countries: z.array(z.enum(countries)).min(1).max(300).optional(),
    languages: z.array(languageSchema).min(1).optional(),
    users: z.array(idSchema).min(1).max(1000).optional(),
    /** Of visitors, by a hash of flag and visitor: whoever is in stays in, also when the share grows. */
    percentage: z.number().min(0).max(100).optional(),
    value: z.json(),
  })
  .refine((rule) => (rule.countries ?? rule.languages ?? rule.users ?? rule.percentage) !== undefined, {
    message: 'a rule needs a condition',
  })
export type FlagRule = z.infer<typeof flagRuleSchema>
