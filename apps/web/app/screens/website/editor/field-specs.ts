/** Which fields each block has, in the order in which they are filled in. The schemas of the contract say what fits. */
import type { BlockProps, BlockType } from '@wakestone/contract/websites/content'
import type { Texts } from '#app/i18n/create-i18n.ts'

export type FieldName = keyof Texts['websites']['fields']

export type FieldSpec = { name: string; label: FieldName } & (
  | { kind: 'line' | 'text' | 'markdown'; most: number }
  | { kind: 'plain'; most: number }
  | { kind: 'link'; isOuter?: boolean }
  | { kind: 'server' | 'flag' | 'date' | 'image' }
  | { kind: 'choice'; options: readonly { value: string; label: FieldName }[] }
  | { kind: 'group'; fields: readonly FieldSpec[] }
  | { kind: 'list'; fields: readonly FieldSpec[]; most: number; empty: () => object; item: FieldName }
)

const none = () => ({ en: '', pl: '', de: '' })
const title: FieldSpec = { name: 'title', label: 'title', kind: 'line', most: 120 }
const image: FieldSpec = { name: 'image', label: 'picture', kind: 'image' }
const server: FieldSpec = { name: 'server', label: 'server', kind: 'server' }

export const fieldsOf: Record<BlockType, readonly FieldSpec[]> = {
  hero: [
    title,
    { name: 'text', label: 'text', kind: 'text', most: 600 },
    image,
    { name: 'scene', label: 'scene', kind: 'flag' },
    {
      name: 'button',
      label: 'button',
      kind: 'group',
      fields: [
        { name: 'label', label: 'label', kind: 'line', most: 60 },
        { name: 'link', label: 'link', kind: 'link' },
      ],
    },
    {
      name: 'align',
      label: 'align',
      kind: 'choice',
      options: [
        { value: 'center', label: 'alignCenter' },
        { value: 'left', label: 'alignLeft' },
      ],
    },
  ],
  status: [
    server,
    title,
    { name: 'show_version', label: 'showVersion', kind: 'flag' },
    { name: 'show_steps', label: 'showSteps', kind: 'flag' },
  ],
  players: [server, title],
  text: [title, { name: 'body', label: 'body', kind: 'markdown', most: 10_000 }],
  news: [
    title,
    {
      name: 'items',
      label: 'newsItems',
      item: 'newsItem',
      kind: 'list',
      most: 30,
      empty: () => ({ title: none(), date: new Date().toISOString().slice(0, 10), body: none() }),
      fields: [
        title,
        { name: 'date', label: 'date', kind: 'date' },
        { name: 'body', label: 'body', kind: 'markdown', most: 5000 },
      ],
    },
  ],
  votes: [
    title,
    {
      name: 'links',
      label: 'voteLinks',
      item: 'voteLink',
      kind: 'list',
      most: 20,
      empty: () => ({ label: '', link: '' }),
      fields: [
        { name: 'label', label: 'label', kind: 'plain', most: 60 },
        { name: 'link', label: 'link', kind: 'link', isOuter: true },
      ],
    },
  ],
  shop: [
    server,
    title,
    {
      name: 'items',
      label: 'shopItems',
      item: 'shopItem',
      kind: 'list',
      most: 24,
      empty: () => ({ name: none(), price: '', text: none() }),
      fields: [
        { name: 'name', label: 'name', kind: 'line', most: 80 },
        { name: 'price', label: 'price', kind: 'plain', most: 30 },
        { name: 'text', label: 'text', kind: 'text', most: 200 },
      ],
    },
    { name: 'button', label: 'buttonText', kind: 'line', most: 60 },
  ],
  map: [
    server,
    title,
    { name: 'text', label: 'text', kind: 'text', most: 300 },
    { name: 'button', label: 'buttonText', kind: 'line', most: 60 },
  ],
  rules: [
    title,
    { name: 'intro', label: 'intro', kind: 'markdown', most: 2000 },
    {
      name: 'items',
      label: 'ruleItems',
      item: 'ruleItem',
      kind: 'list',
      most: 50,
      empty: () => ({ text: none() }),
      fields: [{ name: 'text', label: 'text', kind: 'text', most: 500 }],
    },
  ],
  team: [
    title,
    {
      name: 'members',
      label: 'members',
      item: 'member',
      kind: 'list',
      most: 40,
      empty: () => ({ name: '', role: none(), image: '' }),
      fields: [
        { name: 'name', label: 'name', kind: 'plain', most: 40 },
        { name: 'role', label: 'role', kind: 'line', most: 60 },
        image,
      ],
    },
  ],
  gallery: [
    title,
    {
      name: 'images',
      label: 'pictures',
      item: 'picture',
      kind: 'list',
      most: 40,
      empty: () => ({ image: '', alt: none() }),
      fields: [image, { name: 'alt', label: 'alt', kind: 'line', most: 160 }],
    },
  ],
  footer: [
    { name: 'text', label: 'text', kind: 'text', most: 400 },
    {
      name: 'links',
      label: 'links',
      item: 'link',
      kind: 'list',
      most: 12,
      empty: () => ({ label: none(), link: '' }),
      fields: [
        { name: 'label', label: 'label', kind: 'line', most: 60 },
        { name: 'link', label: 'link', kind: 'link' },
      ],
    },
  ],
}

/** What a new block begins with. */
export const newProps: { [Type in BlockType]: () => BlockProps[Type] } = {
  hero: () => ({
    title: none(),
    text: none(),
    image: '',
    scene: true,
    button: { label: none(), link: '' },
    align: 'center',
  }),
  status: () => ({ server: '', title: none(), show_version: true, show_steps: true }),
  players: () => ({ server: '', title: none() }),
  text: () => ({ title: none(), body: none() }),
  news: () => ({ title: none(), items: [] }),
  votes: () => ({ title: none(), links: [] }),
  shop: () => ({ server: '', title: none(), items: [], button: none() }),
  map: () => ({ server: '', title: none(), text: none(), button: none() }),
  rules: () => ({ title: none(), intro: none(), items: [] }),
  team: () => ({ title: none(), members: [] }),
  gallery: () => ({ title: none(), images: [] }),
  footer: () => ({ text: none(), links: [] }),
}
