/**
 * What a website is made of: pages of blocks, in up to three languages. These schemas are the only gate between what an
 * editor (or anybody with a session) sends and what strangers see; they are asked when it is saved and when it is shown.
 * No HTML stands anywhere: texts are plain, or Markdown where a field says so; links lead to https or within the website.
 */
import { z } from 'zod'
import { languageSchema } from '../primitives.ts'
import { type Language, languages } from '../values.ts'

export const websiteLimits = {
  pages: 8,
  blocks: 40,
  /** Of one content, as JSON in UTF-8. */
  bytes: 200_000,
  versions: 50,
  images: 60,
  /** Of a picture as it is sent. */
  imageBytes: 8 * 1024 ** 2,
  /** Of all pictures of a website as they are shown. */
  allImageBytes: 30 * 1024 ** 2,
} as const

/** Turn the direction of text, cannot be seen, or steer terminals. Line breaks are let in where a text has several. */
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const plain = (most: number) =>
  z
    .string()
    .max(most, 'too_long')
    .refine((text) => !unseen.test(text), 'unseen_characters')
const line = (most: number) => plain(most).refine((text) => !/[\r\n\t]/.test(text), 'one_line')

const inLanguages = (text: z.ZodType<string, string>) =>
  z.strictObject({ en: text.default(''), pl: text.default(''), de: text.default('') })
/** A text in each language of the website; where one is missing, that of the first language is shown. */
export const textIn = (most: number) => inLanguages(plain(most))
const lineIn = (most: number) => inLanguages(line(most))
export type TextIn = { en: string; pl: string; de: string }

/** `https://…`, or a page of the same website: `/`, `/rules`. Nothing else is a link. */
export function isGoodLink(link: string): boolean {
  if (/^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(link)) return true
  if (!/^https:\/\/[^\s\\]+$/i.test(link)) return false
  const address = URL.parse(link)
  return address !== null && address.protocol === 'https:' && address.username === '' && address.password === ''
}
const link = z
  .string()
  .max(500, 'too_long')
  .refine((text) => text === '' || isGoodLink(text), 'https_link')
const outerLink = link.refine((text) => text === '' || !text.startsWith('/'), 'https_link')

/** Made of what it shows; '' where there is none. */
export const websiteImageName = z.string().regex(/^[0-9a-f]{32}\.webp$/)
const image = z.union([z.literal(''), websiteImageName])
/** One of the owner's servers; '' until one is chosen. */
const server = z.union([z.literal(''), z.uuid()])
const day = z.union([z.literal(''), z.iso.date()])

const blockId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** Of every block: its fields. The order is that of the menu in which blocks are chosen. */
export const blockProps = {
  hero: z.strictObject({
    title: lineIn(120),
    text: textIn(600),
    image,
    /** Where there is no picture: the landscape of the website's look. */
    scene: z.boolean().default(false),
    button: z.strictObject({ label: lineIn(60), link }),
    align: z.enum(['left', 'center']),
  }),
  status: z.strictObject({
    server,
    title: lineIn(120),
    show_version: z.boolean(),
    /** How to join, step by step. */
    show_steps: z.boolean().default(false),
  }),
  players: z.strictObject({ server, title: lineIn(120) }),
  text: z.strictObject({ title: lineIn(120), body: textIn(10_000) }),
  news: z.strictObject({
    title: lineIn(120),
    items: z.array(z.strictObject({ title: lineIn(120), date: day, body: textIn(5000) })).max(30),
  }),
  votes: z.strictObject({
    title: lineIn(120),
    links: z.array(z.strictObject({ label: line(60), link: outerLink })).max(20),
  }),
  shop: z.strictObject({
    server,
    title: lineIn(120),
    items: z.array(z.strictObject({ name: lineIn(80), price: line(30), text: textIn(200) })).max(24),
    button: lineIn(60),
  }),
  map: z.strictObject({ server, title: lineIn(120), text: textIn(300), button: lineIn(60) }),
  rules: z.strictObject({
    title: lineIn(120),
    intro: textIn(2000),
    items: z.array(z.strictObject({ text: textIn(500) })).max(50),
  }),
  team: z.strictObject({
    title: lineIn(120),
    members: z.array(z.strictObject({ name: line(40), role: lineIn(60), image })).max(40),
  }),
  gallery: z.strictObject({
    title: lineIn(120),
    images: z.array(z.strictObject({ image, alt: lineIn(160) })).max(40),
  }),
  footer: z.strictObject({
    text: textIn(400),
    links: z.array(z.strictObject({ label: lineIn(60), link })).max(12),
  }),
} as const
export type BlockType = keyof typeof blockProps
export const blockTypes = Object.keys(blockProps) as BlockType[]
export type BlockProps = { [Type in BlockType]: z.output<(typeof blockProps)[Type]> }

const block = <Type extends BlockType>(type: Type) =>
  z.strictObject({ id: blockId, type: z.literal(type), props: blockProps[type] })
export const blockSchema = z.discriminatedUnion('type', [
  block('hero'),
  block('status'),
  block('players'),
  block('text'),
  block('news'),
  block('votes'),
  block('shop'),
  block('map'),
  block('rules'),
  block('team'),
  block('gallery'),
  block('footer'),
])
export type Block = z.output<typeof blockSchema>

export const websiteLooks = ['lantern', 'daylight', 'forest', 'ocean', 'ember', 'frost', 'void'] as const
export const websiteFonts = ['sans', 'serif', 'mono'] as const
export const websiteCorners = ['square', 'soft', 'round'] as const
export const themeSchema = z.strictObject({
  look: z.enum(websiteLooks),
  /** `#rrggbb`; '' is that of the look. What is written on it is made dark or light, whatever can be read. */
  accent: z.union([z.literal(''), z.string().regex(/^#[0-9a-f]{6}$/)]),
  font: z.enum(websiteFonts),
  corners: z.enum(websiteCorners),
})
export type WebsiteTheme = z.output<typeof themeSchema>

/** Languages and what the website itself answers are no pages. */
const reservedSlugs: readonly string[] = [...languages, 'sitemap', 'robots', 'live', 'media', 'card']
/** '' is the first page. */
const pageSlug = z.union([
  z.literal(''),
  z
    .string()
    .max(40)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'slug')
    .refine((slug) => !reservedSlugs.includes(slug), 'reserved'),
])
export const pageSchema = z.strictObject({
  slug: pageSlug,
  title: lineIn(60),
  description: lineIn(200),
  blocks: z
    .array(blockSchema)
    .max(websiteLimits.blocks)
    .refine((blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length, 'one_of_each'),
})
export type WebsitePage = z.output<typeof pageSchema>

export const contentSchema = z.strictObject({
  /** The first is shown at `/`, the others at `/pl/` and so on. */
  languages: z
    .array(languageSchema)
    .min(1)
    .max(3)
    .refine((list) => new Set(list).size === list.length, 'one_of_each'),
  theme: themeSchema,
  pages: z
    .array(pageSchema)
    .min(1)
    .max(websiteLimits.pages)
    .refine((pages) => pages[0]?.slug === '', 'first_page')
    .refine((pages) => new Set(pages.map(({ slug }) => slug)).size === pages.length, 'one_of_each'),
})
export type WebsiteContent = z.output<typeof contentSchema>

/** Images, servers and links that a content speaks of: each once. */
export function namedIn(content: WebsiteContent): { images: string[]; servers: string[] } {
  const images = new Set<string>()
  const servers = new Set<string>()
  for (const { blocks } of content.pages)
    for (const { type, props } of blocks) {
      if ('server' in props) servers.add(props.server)
      if (type === 'hero') images.add(props.image)
      if (type === 'team') for (const member of props.members) images.add(member.image)
      if (type === 'gallery') for (const one of props.images) images.add(one.image)
    }
  images.delete('')
  servers.delete('')
  return { images: [...images], servers: [...servers] }
}

/** Texts of a block that are Markdown, in one language. */
export function markdownOf({ type, props }: Block, language: Language): string[] {
  if (type === 'text') return [props.body[language]]
  if (type === 'rules') return [props.intro[language]]
  return type === 'news' ? props.items.map(({ body }) => body[language]) : []
}

/** Every text of a content that is read as Markdown. */
export const markdownIn = ({ languages: all, pages }: WebsiteContent): string[] =>
  all.flatMap((language) => pages.flatMap(({ blocks }) => blocks.flatMap((one) => markdownOf(one, language))))
