/**
 * Feature flags: every key with the schema of its value, what applies while it is off, and what it is for.
 * The server evaluates them, pages show what they say, administrators change them.
 */
import { z } from 'zod'

/** One text in each language of the product. */
const textsSchema = z.object({
  en: z.string().trim().min(1).max(400),
  pl: z.string().trim().min(1).max(400),
  de: z.string().trim().min(1).max(400),
})
/** A page of this site (`/offers`, without the language) or another site's address. */
const targetSchema = z.union([z.string().regex(/^\/(?![/\\])\S*$/), z.url({ protocol: /^https$/ })])

type Flag = { schema: z.ZodType; default: unknown; description: string }

export const flags = {
  'contest-event': {
    schema: z.boolean(),
    default: false,
    description: 'A contest is on: shows its category and its notices.',
  },
  'nps-age-input': {
    schema: z.boolean(),
    default: false,
    description: 'The satisfaction survey also asks for the age.',
  },
  'pay-later': {
    schema: z.boolean(),
    default: false,
    description: 'Experiment: offer to pay later.',
  },
  'redeem-free-server': {
    schema: z.boolean(),
    default: false,
    description: 'Experiment: offer a free trial server on the home page.',
  },
  'featured-projects': {
    schema: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/)).max(12),
    default: [] as string[],
    description: 'Slugs of the projects that the home page features, in order. Empty: the built-in ones.',
  },
  'redirect-modal': {
    schema: z.object({ title: textsSchema, text: textsSchema, to: targetSchema }).nullable(),
    default: null,
    description: 'A dialog that asks visitors to go on to another page.',
  },
  'promotion-extra-code': {
    schema: z.string().regex(/^[A-Za-z0-9-]{0,64}$/),
    default: '',
    description: 'A code that promotions show beside their own. Empty: none.',
  },
  'promotion-banner': {
    schema: z
      .object({ text: textsSchema, to: targetSchema.optional(), ends_at: z.iso.datetime().optional() })
      .nullable(),
    default: null,
    description: 'A banner on public pages for an offer; it disappears when the offer ends.',
  },
  'panel-announcement': {
    schema: z.object({ text: textsSchema, community_url: z.url({ protocol: /^https$/ }).optional() }).nullable(),
    default: null,
    description:
      'A message above every page, with an optional link to the community. Closing it lasts for the session.',
  },
} as const satisfies Record<string, Flag>

export type FlagKey = keyof typeof flags
export type FlagValue<Key extends FlagKey> = z.output<(typeof flags)[Key]['schema']>
export type FlagValues = { [Key in FlagKey]: FlagValue<Key> }

export const flagKeys = Object.keys(flags) as [FlagKey, ...FlagKey[]]

/** What applies while every flag is off. */
export function defaultFlagValues(): FlagValues {
  return Object.fromEntries(flagKeys.map((key) => [key, flags[key].default])) as FlagValues
}
