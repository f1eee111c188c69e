/**
 * Every block as it is shown: in the published page and in the editor, by the same code. Texts go through React, which
 * escapes them; HTML comes only from the sanitiser of Markdown.
 */
import { createElement as h, type ReactNode } from 'react'
import type { Block, BlockProps, BlockType, TextIn } from '@wakestone/contract/websites/content'
import { isGoodLink } from '@wakestone/contract/websites/content'
import type { Language } from '@wakestone/contract/values'
import type { WebsiteTheme } from '@wakestone/contract/websites/content'
import { faceOf, type ServerFacts, shownNames } from './facts.ts'
import { showScene } from './scene.ts'
import { words } from './words.ts'

export type Picture = { url: string; width: number; height: number }

/** What blocks are shown with. */
export type Setting = {
  language: Language
  look: WebsiteTheme['look']
  /** Whose texts stand in for those that are missing. */
  firstLanguage: Language
  /** Undefined where there is no such server, or it is not its owner's any more. */
  server(id: string): ServerFacts | undefined
  picture(name: string): Picture | undefined
  /** Of a block’s Markdown, in the order of `markdownOf`; undefined in the editor, where the text itself is shown. */
  html(blockId: string): readonly string[] | undefined
  /** Of a page of this website, in this language. */
  page(path: string): string
}

export const say = ({ language, firstLanguage }: Pick<Setting, 'language' | 'firstLanguage'>, text: TextIn): string =>
  text[language].trim() === '' ? text[firstLanguage] : text[language]

const heading = (setting: Setting, title: TextIn) => {
  const text = say(setting, title)
  return text === '' ? null : h('h2', null, text)
}

/** Of one of several things in a block: below the block's own heading, or in its place where there is none. */
const itemHeading = (setting: Setting, title: TextIn, text: string) =>
  h(say(setting, title) === '' ? 'h2' : 'h3', { className: 'ws-item' }, text)

function linkTo(
  setting: Setting,
  { link, className, children }: { link: string; className?: string; children: ReactNode },
) {
  if (!isGoodLink(link)) return null
  const isInside = link.startsWith('/')
  return h(
    'a',
    {
      href: isInside ? setting.page(link) : new URL(link).href,
      className,
      ...(isInside ? {} : { rel: 'noopener nofollow ugc' }),
    },
    children,
  )
}

function prose(setting: Setting, id: string, { at, source }: { at: number; source: TextIn }) {
  const html = setting.html(id)
  if (html === undefined) {
    const text = say(setting, source)
    return text === '' ? null : h('div', { className: 'ws-prose ws-lines' }, text)
  }
  const made = html[at] ?? ''
  return made === '' ? null : h('div', { className: 'ws-prose', dangerouslySetInnerHTML: { __html: made } })
}

function picture(setting: Setting, name: string, { alt, isFirst = false }: { alt: string; isFirst?: boolean }) {
  const found = name === '' ? undefined : setting.picture(name)
  if (found === undefined) return null
  const { url, width, height } = found
  return h('img', {
    src: url,
    alt,
    width,
    height,
    decoding: 'async',
    ...(isFirst ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const }),
  })
}

const players = ({ players: online, most }: Pick<ServerFacts, 'players' | 'most'>, language: Language) =>
  most === null ? String(online) : `${online} ${words[language].of} ${most}`

const missing = (setting: Setting, server: string) => {
  const { noServer, chooseServer } = words[setting.language]
  return h('p', { className: 'ws-muted' }, server === '' ? chooseServer : noServer)
}

type Shown = { [Type in BlockType]: (setting: Setting, props: BlockProps[Type], id: string) => ReactNode }

const shown: Shown = {
  hero: (setting, { title, text, image, scene, button, align }) => {
    const shownPicture = picture(setting, image, { alt: '', isFirst: true })
    const isScenic = shownPicture === null && scene
    const lead = [
      h('h1', { key: 'title' }, say(setting, title)),
      say(setting, text) === '' ? null : h('p', { key: 'text' }, say(setting, text)),
      say(setting, button.label) === '' || button.link === ''
        ? null
        : h(
            'div',
            { key: 'button' },
            linkTo(setting, { link: button.link, className: 'ws-button', children: say(setting, button.label) }),
          ),
    ]
    return h(
      'section',
      { className: isScenic ? 'ws-block ws-hero ws-scenic' : 'ws-block ws-hero', 'data-align': align },
      ...(isScenic ? [h('div', { className: 'ws-lead' }, lead), showScene(setting.look)] : [lead, shownPicture]),
    )
  },

  status: (setting, { server, title, show_version, show_steps }) => {
    const said = words[setting.language]
    const facts = setting.server(server)
    if (facts === undefined)
      return h('section', { className: 'ws-block' }, heading(setting, title), missing(setting, server))
    return h(
      'section',
      { className: 'ws-block ws-join' },
      h(
        'div',
        { className: 'ws-card ws-status', 'data-server': server },
        h(
          'div',
          { className: 'ws-block ws-tight ws-where' },
          heading(setting, title),
          h('span', { className: 'ws-address' }, facts.address),
        ),
        h(
          'button',
          {
            type: 'button',
            className: 'ws-button',
            'data-copy': facts.address,
            'data-done': said.copied,
            hidden: true,
          },
          said.copy,
        ),
        h(
          'dl',
          null,
          h(
            'div',
            null,
            h('dt', null, said.state),
            h(
              'dd',
              null,
              h(
                'span',
                { className: 'ws-state', 'data-state': facts.state, 'data-live': 'state' },
                said.states[facts.state],
              ),
            ),
          ),
          h(
            'div',
            null,
            h('dt', null, said.players),
            h('dd', { 'data-live': 'players' }, players(facts, setting.language)),
          ),
          show_version ? h('div', null, h('dt', null, said.version), h('dd', null, facts.version)) : null,
        ),
      ),
      show_steps
        ? h(
            'ol',
            { className: 'ws-steps', 'aria-label': said.toJoin },
            said.steps[facts.edition].map((step) => h('li', { key: step }, step)),
          )
        : null,
    )
  },

  players: (setting, { server, title }) => {
    const facts = setting.server(server)
    return h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      facts === undefined
        ? missing(setting, server)
        : h(
            'div',
            { 'data-server': server },
            h(
              'p',
              { className: 'ws-muted', 'data-live': 'nobody', hidden: facts.players > 0 },
              words[setting.language].nobody,
            ),
            h(
              'ul',
              { className: 'ws-names ws-faces', 'data-live': 'names', 'aria-label': words[setting.language].players },
              facts.names.slice(0, shownNames).map((name) => h('li', { key: name, 'data-face': faceOf(name) }, name)),
            ),
          ),
    )
  },

  text: (setting, { title, body }, id) =>
    h('section', { className: 'ws-block' }, heading(setting, title), prose(setting, id, { at: 0, source: body })),

  news: (setting, { title, items }, id) =>
    h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      h(
        'ul',
        { className: 'ws-list' },
        items.map((item, index) =>
          h(
            'li',
            { key: index, className: 'ws-card ws-block ws-tight' },
            itemHeading(setting, title, say(setting, item.title)),
            item.date === ''
              ? null
              : h('time', { className: 'ws-muted', dateTime: item.date }, dayOf(item.date, setting.language)),
            prose(setting, id, { at: index, source: item.body }),
          ),
        ),
      ),
    ),

  votes: (setting, { title, links }) =>
    h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      h(
        'ul',
        { className: 'ws-names' },
        links.map(({ label, link }, index) =>
          link === ''
            ? null
            : h(
                'li',
                { key: index, className: 'ws-bare' },
                linkTo(setting, { link, className: 'ws-button ws-plain', children: label }),
              ),
        ),
      ),
    ),

  shop: (setting, { server, title, items, button }, id) => {
    const facts = setting.server(server)
    const label = say(setting, button)
    return h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      h(
        'ul',
        { className: 'ws-tiles' },
        items.map((item, index) =>
          h(
            'li',
            { key: index, className: 'ws-card ws-block ws-tight' },
            itemHeading(setting, title, say(setting, item.name)),
            h('p', { className: 'ws-price' }, item.price),
            h('p', { className: 'ws-muted' }, say(setting, item.text)),
          ),
        ),
      ),
      facts === undefined
        ? server === '' && setting.html(id) !== undefined
          ? null
          : missing(setting, server)
        : h(
            'p',
            null,
            h(
              'a',
              { className: 'ws-button', href: facts.shop, rel: 'noopener' },
              label === '' ? words[setting.language].openShop : label,
            ),
          ),
    )
  },

  map: (setting, { server, title, text, button }) => {
    const said = words[setting.language]
    const facts = setting.server(server)
    const label = say(setting, button)
    return h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      say(setting, text) === '' ? null : h('p', null, say(setting, text)),
      facts === undefined
        ? missing(setting, server)
        : facts.map === null
          ? h('p', { className: 'ws-muted' }, said.noMap)
          : h(
              'p',
              null,
              h('a', { className: 'ws-button', href: facts.map, rel: 'noopener' }, label === '' ? said.openMap : label),
            ),
    )
  },

  rules: (setting, { title, intro, items }, id) =>
    h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      prose(setting, id, { at: 0, source: intro }),
      h(
        'ol',
        { className: 'ws-rules' },
        items.map(({ text }, index) => h('li', { key: index }, say(setting, text))),
      ),
    ),

  team: (setting, { title, members }) =>
    h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      h(
        'ul',
        { className: 'ws-tiles' },
        members.map(({ name, role, image }, index) =>
          h(
            'li',
            { key: index, className: 'ws-card ws-person' },
            picture(setting, image, { alt: '' }),
            h('div', null, itemHeading(setting, title, name), h('p', { className: 'ws-muted' }, say(setting, role))),
          ),
        ),
      ),
    ),

  gallery: (setting, { title, images }) =>
    h(
      'section',
      { className: 'ws-block' },
      heading(setting, title),
      h(
        'ul',
        { className: 'ws-gallery' },
        images.map(({ image, alt }, index) => {
          const made = picture(setting, image, { alt: say(setting, alt) })
          return made === null ? null : h('li', { key: index }, made)
        }),
      ),
    ),

  footer: (setting, { text, links }) =>
    h(
      'div',
      { className: 'ws-foot' },
      h('p', null, say(setting, text)),
      h(
        'ul',
        null,
        links.map(({ label, link }, index) =>
          link === '' || say(setting, label) === ''
            ? null
            : h('li', { key: index }, linkTo(setting, { link, children: say(setting, label) })),
        ),
      ),
    ),
}

const dayOf = (date: string, language: Language) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  )

/** Blocks that are about a server and nothing else. */
const ofServer: ReadonlySet<BlockType> = new Set(['status', 'players', 'map'] as const)

/** One block; null where visitors would see only that something was not chosen. */
export function showBlock(setting: Setting, { type, props, id }: Block): ReactNode {
  const isWritten = setting.html(id) === undefined
  if (!isWritten && ofServer.has(type) && 'server' in props && props.server === '') return null
  return (shown[type] as (setting: Setting, props: unknown, id: string) => ReactNode)(setting, props, id)
}

/** Whether a block tells of a server what changes by itself: only such pages have a script. */
export const isLive = ({ type }: Block): boolean => type === 'status' || type === 'players'
