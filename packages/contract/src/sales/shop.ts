/** A server's shop: what its owner sells to players, what they order, and what becomes of each command. */
import { z } from 'zod'
import { currencySchema, idSchema, languageSchema, moneySchema, timeSchema } from '../primitives.ts'
import { panelStates } from '../states.ts'
import { providerIdSchema } from '../money/transaction.ts'
import { commandLength, commandProblem, ownVariables, shopWord, variableName } from './shop-command.ts'
import { shopFindings } from './shop-rules.ts'

export const shopLimits = {
  categories: 20,
  items: 200,
  commands: 20,
  variables: 3,
  choices: 20,
  coupons: 100,
  goals: 10,
  quantity: 64,
  pictures: 220,
  pictureBytes: 8 * 1024 ** 2,
  /** Minor units. */
  price: 1_000_000,
} as const

/** When a command is sent. */
export const shopStages = ['purchase', 'renewal', 'expiry', 'refund', 'chargeback'] as const
export type ShopStage = (typeof shopStages)[number]

/** Words of people on one line. */
const words = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u, 'one_line')
const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    // oxlint-disable-next-line no-control-regex
    .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/u, 'text')
const name = words(60).min(1, 'required')
const count = (most: number) => z.int().min(1).max(most)

export const shopCommandSchema = z.object({
  stage: z.enum(shopStages),
  command: z.string().trim().min(1, 'required').max(commandLength, 'command'),
  /** Waits until the player is on. */
  needs_player: z.boolean().default(true),
  /** Wakes a server that sleeps; else the command waits until somebody else does. */
  wakes: z.boolean().default(false),
  /** Text that the console's answer has to hold; without one, any answer but a refusal will do. */
  answer: words(100).default(''),
})
export type ShopCommand = z.infer<typeof shopCommandSchema>

export const shopVariableSchema = z.object({
  name: z
    .string()
    .regex(variableName, 'variable')
    .refine((one) => !(ownVariables as readonly string[]).includes(one), 'variable'),
  label: name,
  /** Empty: any word of letters, digits and underscores. */
  choices: z.array(z.string().regex(shopWord, 'word')).max(shopLimits.choices).default([]),
})
export type ShopVariable = z.infer<typeof shopVariableSchema>

/** Of the shop’s own, and made of what it shows; empty: none. */
export const shopPictureName = z.string().regex(/^[0-9a-f]{32}\.webp$/)
const picture = z.union([z.literal(''), shopPictureName]).default('')
export const shopPictureSchema = z.object({
  name: shopPictureName,
  url: z.string(),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
})

const itemShape = z.object({
  name,
  /** Markdown. */
  description: text(2000).default(''),
  picture,
  category_id: idSchema.nullable().default(null),
  /** Gross, minor units of the shop's currency; nothing: a gift of the server's. */
  price: z.int().min(0).max(shopLimits.price, 'amount'),
  /** Ends after so many days; null: never. Bought again before, it is renewed. */
  days: count(3650).nullable().default(null),
  /** Units that one player may have bought, and all together; null: no limit. */
  per_player: count(10_000).nullable().default(null),
  overall: count(1_000_000).nullable().default(null),
  giftable: z.boolean().default(true),
  active: z.boolean().default(true),
  variables: z.array(shopVariableSchema).max(shopLimits.variables).default([]),
  commands: z.array(shopCommandSchema).min(1, 'required').max(shopLimits.commands),
  /** Findings that the owner has looked at and answers for, see `findInItem`. */
  confirmed: z.array(z.enum(shopFindings)).max(shopFindings.length).default([]),
})
export const shopItemBody = itemShape.superRefine(({ commands, variables }, issues) => {
  const names = variables.map((one) => one.name)
  if (new Set(names).size < names.length) issues.addIssue({ code: 'custom', path: ['variables'], message: 'variable' })
  commands.forEach(({ command }, index) => {
    const problem = commandProblem(command, names)
    if (problem !== undefined)
      issues.addIssue({ code: 'custom', path: ['commands', index, 'command'], message: problem })
  })
})
export type ShopItemBody = z.output<typeof shopItemBody>

export const shopItemSchema = itemShape.extend({ id: idSchema, sold: z.int(), findings: z.array(z.enum(shopFindings)) })
export type ShopItem = z.infer<typeof shopItemSchema>

export const shopCategorySchema = z.object({ id: idSchema, name })
export const shopCategoriesBody = z.object({
  categories: z.array(z.object({ id: idSchema.nullable().default(null), name })).max(shopLimits.categories),
})

export const couponCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{3,32}$/, 'coupon')
export const shopCouponBody = z
  .object({
    code: couponCode,
    /** Whole per cent, or an amount in minor units: one of them. */
    percent: z.int().min(1).max(100).nullable().default(null),
    amount: count(shopLimits.price).nullable().default(null),
    item_id: idSchema.nullable().default(null),
    /** The least that an order has to come to before the coupon. */
    minimum: z.int().min(0).max(shopLimits.price).default(0),
    uses: count(1_000_000).nullable().default(null),
    per_player: count(1000).nullable().default(1),
    until: timeSchema.nullable().default(null),
  })
  .refine(({ percent, amount }) => (percent === null) !== (amount === null), { path: ['percent'], message: 'required' })
export const shopCouponSchema = z.object({
  id: idSchema,
  code: z.string(),
  percent: z.int().nullable(),
  amount: z.int().nullable(),
  item_id: idSchema.nullable(),
  minimum: z.int(),
  uses: z.int().nullable(),
  per_player: z.int().nullable(),
  until: timeSchema.nullable(),
  used: z.int(),
})
export type ShopCoupon = z.infer<typeof shopCouponSchema>

export const shopGoalBody = z
  .object({
    title: name,
    /** Minor units of what is sold from now on, less what goes back. */
    target: count(100_000_000),
    /** Sent once when it is reached; of no player. */
    commands: z
      .array(z.string().trim().min(1, 'required').max(commandLength, 'command'))
      .max(shopLimits.commands)
      .default([]),
  })
  .superRefine(({ commands }, issues) =>
    commands.forEach((command, index) => {
      const problem = /\{[a-z_]+\}/.test(command) ? 'unknown_variable' : commandProblem(command, [])
      if (problem !== undefined) issues.addIssue({ code: 'custom', path: ['commands', index], message: problem })
    }),
  )
export const shopGoalSchema = z.object({
  id: idSchema,
  title: z.string(),
  target: z.int(),
  reached: z.int(),
  reached_at: timeSchema.nullable(),
})
export type ShopGoal = z.infer<typeof shopGoalSchema>

/** Who sells. Shown on every page of the shop and on each order: the contract is theirs with the player. */
export const shopSellerSchema = z.object({
  name: words(120),
  address: text(300),
  email: z.union([z.literal(''), z.email('email').max(254)]),
  /** A business says its tax number. */
  tax_id: words(40).default(''),
})
export const shopSettingsBody = z.object({
  open: z.boolean(),
  title: name,
  /** Markdown. */
  intro: text(2000).default(''),
  picture,
  currency: currencySchema,
  seller: shopSellerSchema,
  /** The owner has read the rules of the game's maker on selling, and answers for what they sell. */
  rules_confirmed: z.boolean(),
})
export type ShopSettings = z.output<typeof shopSettingsBody>

export const shopSchema = shopSettingsBody.extend({
  categories: z.array(shopCategorySchema),
  items: z.array(shopItemSchema),
  coupons: z.array(shopCouponSchema),
  goals: z.array(shopGoalSchema),
  /** The operator's part of each sale in per cent, and days for which what was earned is held. */
  share_percent: z.number(),
  hold_days: z.int(),
  /** In the owner's wallet, and not theirs to spend yet. */
  held: moneySchema,
  /** What people type behind the site's address. */
  path: z.string(),
})
export type Shop = z.infer<typeof shopSchema>

export const publicItemSchema = z.object({
  id: idSchema,
  category_id: idSchema.nullable(),
  name: z.string(),
  description: z.string(),
  /** The description as a page shows it, safe; empty where there is none. */
  html: z.string(),
  /** Its first words, as plain text. */
  excerpt: z.string(),
  picture: z.string().nullable(),
  price: moneySchema,
  days: z.int().nullable(),
  giftable: z.boolean(),
  needs_player: z.boolean(),
  variables: z.array(shopVariableSchema),
  /** Nobody can buy more of it. */
  sold_out: z.boolean(),
})
export type PublicItem = z.infer<typeof publicItemSchema>
export const publicShopSchema = z.object({
  server_id: idSchema,
  server_name: z.string(),
  title: z.string(),
  intro: z.string(),
  intro_html: z.string(),
  /** The first words of the intro, as plain text. */
  excerpt: z.string(),
  picture: z.string().nullable(),
  /** What anybody sees who joins. */
  status: z.object({
    state: z.enum(panelStates),
    address: z.string(),
    players: z.int(),
    /** Null: as many as fit. */
    most: z.int().nullable(),
  }),
  seller: shopSellerSchema,
  currency: currencySchema,
  categories: z.array(shopCategorySchema),
  items: z.array(publicItemSchema),
  goals: z.array(shopGoalSchema),
  /** Of the last orders, the player and what they got. */
  recent: z.array(z.object({ player: z.string(), item: z.string(), at: timeSchema })),
  providers: z.array(z.object({ id: providerIdSchema, minimum: z.int() })),
})
export type PublicShop = z.infer<typeof publicShopSchema>

const player = z.string().trim().min(1, 'required').max(40, 'no_player_name')
export const shopChoice = {
  item_id: idSchema,
  quantity: z.coerce.number().int().min(1).max(shopLimits.quantity).default(1),
  /** Who gets it. */
  player,
  /** Who gives it, where it is a gift; empty: the player buys it. */
  giver: z.string().trim().max(40, 'no_player_name').default(''),
  coupon: z.union([z.literal(''), couponCode]).default(''),
}
export const shopQuoteBody = z.object({ ...shopChoice, chosen: z.record(z.string(), z.string()).default({}) })
export const shopQuoteSchema = z.object({
  item: publicItemSchema,
  /** As the server knows the player. */
  player: z.string(),
  quantity: z.int(),
  full: moneySchema,
  discount: moneySchema,
  total: moneySchema,
  /** Until when the player will have it; null: for good. */
  until: timeSchema.nullable(),
})
export type ShopQuote = z.infer<typeof shopQuoteSchema>

export const shopOrderBody = shopQuoteBody.extend({
  email: z.email('email').max(254),
  provider: providerIdSchema.nullable().default(null),
  language: languageSchema.default('en'),
  /** What was shown before; another price is refused. */
  total: z.int().min(0),
  /** It is to begin at once, and the right of withdrawal ends with that. */
  begins_now: z.literal(true, 'required'),
})

export const shopOrderStates = ['waiting', 'paid', 'failed', 'refunded', 'charged_back'] as const
export type ShopOrderState = (typeof shopOrderStates)[number]
export const deliveryStates = ['waiting', 'leased', 'sent', 'confirmed', 'failed', 'unclear', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const madeOrderSchema = z.object({
  id: idSchema,
  /** Opens the order's page to whoever has it. */
  key: z.string(),
  redirect_url: z.string().nullable(),
})
export const orderPageSchema = z.object({
  id: idSchema,
  server_name: z.string(),
  shop_path: z.string(),
  shop_title: z.string(),
  shop_picture: z.string().nullable(),
  item: z.string(),
  quantity: z.int(),
  player: z.string(),
  giver: z.string().nullable(),
  total: moneySchema,
  state: z.enum(shopOrderStates),
  created_at: timeSchema,
  paid_at: timeSchema.nullable(),
  until: timeSchema.nullable(),
  redirect_url: z.string().nullable(),
  seller: shopSellerSchema,
  delivered: z.int(),
  deliveries: z.int(),
  /** Waits for the player to join. */
  waits_for_player: z.boolean(),
})
export type OrderPage = z.infer<typeof orderPageSchema>

export const shopOrderSchema = z.object({
  id: idSchema,
  item: z.string(),
  quantity: z.int(),
  player: z.string(),
  giver: z.string().nullable(),
  coupon: z.string().nullable(),
  total: moneySchema,
  refunded: moneySchema,
  state: z.enum(shopOrderStates),
  created_at: timeSchema,
  paid_at: timeSchema.nullable(),
  deliveries: z.int(),
  delivered: z.int(),
  /** Failed, or unclear: somebody has to look. */
  trouble: z.int(),
})
export type ShopOrder = z.infer<typeof shopOrderSchema>

export const shopDeliverySchema = z.object({
  id: idSchema,
  order_id: idSchema.nullable(),
  about: z.string(),
  player: z.string().nullable(),
  stage: z.string(),
  number: z.int(),
  command: z.string(),
  state: z.enum(deliveryStates),
  /** Why it is not delivered: what it waits for, or what went wrong. */
  problem: z.string().nullable(),
  attempts: z.int(),
  /** What the console said last. */
  said: z.string(),
  created_at: timeSchema,
  sent_at: timeSchema.nullable(),
  confirmed_at: timeSchema.nullable(),
})
export type ShopDelivery = z.infer<typeof shopDeliverySchema>
