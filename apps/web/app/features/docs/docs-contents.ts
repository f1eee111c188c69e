/**
 * The documentation, page by page in the order in which it is read. Titles are in the files; `file` is a path in the
 * repository, and of the guide there is one file in each language. The build fails where a file is missing.
 */
import type { Language } from '@wakestone/contract/primitives'

export const docAudiences = ['guide', 'operators', 'developers'] as const
export type DocAudience = (typeof docAudiences)[number]

export const docGroups = [
  'start',
  'play',
  'manage',
  'business',
  'install',
  'run',
  'servers',
  'customers',
  'authors',
  'inside',
  'decisions',
] as const
export type DocGroup = (typeof docGroups)[number]

type Entry = {
  audience: DocAudience
  group: DocGroup
  /** Below `/docs`. */
  path: string
  /** `{lang}` where there is one file in each language. */
  file: string
}

const guide = (group: DocGroup, ...slugs: string[]): Entry[] =>
  slugs.map((slug) => ({ audience: 'guide', group, path: `/guide/${slug}`, file: `docs/guide/{lang}/${slug}.md` }))

const english = (audience: DocAudience, group: DocGroup, ...slugs: string[]): Entry[] =>
  slugs.map((slug) => ({ audience, group, path: `/${audience}/${slug}`, file: `docs/${slug}.md` }))

export const docEntries: readonly Entry[] = [
  ...guide('start', 'renting', 'joining', 'sleep'),
  ...guide('play', 'console', 'players', 'packages'),
  ...guide('manage', 'files', 'backups', 'addresses', 'schedules'),
  ...guide('business', 'wallet', 'websites', 'support'),
  ...english('operators', 'install', 'operating', 'deploying', 'scale', 'clusters', 'moving', 'settings', 'licences'),
  ...english('operators', 'servers', 'engines', 'gateway', 'sleep', 'backups', 'files', 'worlds', 'mysql', 'addresses'),
  ...english('operators', 'customers', 'importing', 'money', 'vouchers', 'support', 'websites'),
  ...english('developers', 'authors', 'authors', 'packages', 'webhooks', 'pterodactyl-api'),
  { audience: 'developers', group: 'inside', path: '/developers/contributing', file: 'CONTRIBUTING.md' },
  ...english('developers', 'inside', 'architecture', 'glossary', 'requests', 'pages', 'running-servers', 'components'),
  ...english('developers', 'inside', 'testing', 'testing-money'),
  ...english(
    'developers',
    'decisions',
    'decisions/0001-events-are-pulled',
    'decisions/0002-ledger-writes',
    'decisions/0003-node-from-npm',
    'decisions/0004-own-texts',
    'decisions/0005-sharing-a-server',
    'decisions/0006-credit-in-wallets',
    'decisions/0007-money-that-goes-back',
    'decisions/0008-tax-point-of-top-ups',
    'decisions/0009-withdrawals-by-payment',
    'decisions/0010-features-by-subject',
    'decisions/0011-walls-around-servers',
    'decisions/0012-boxes-beside-games',
    'decisions/0013-files-service',
    'decisions/0016-shops-of-servers',
    'decisions/0017-mysql-beside-games',
    'decisions/0018-drivers-of-clusters',
    'decisions/0019-versions-of-engines',
    'decisions/0020-agents',
    'decisions/0021-clusters-of-kubernetes',
    'decisions/0022-memory-of-sleepers-on-disk',
  ),
]

/** Who the command palette offers a page to. Of decisions nobody: they are read where something refers to them. */
export function paletteReaders({ audience, group }: Entry): 'everyone' | 'administrators' | 'nobody' {
  if (group === 'decisions') return 'nobody'
  return audience === 'guide' || group === 'authors' ? 'everyone' : 'administrators'
}

export const isInEveryLanguage = ({ file }: Pick<Entry, 'file'>) => file.includes('{lang}')

/** Where a page's text is, in a language that may not be the reader's. */
export function docFile({ file }: Pick<Entry, 'file'>, language: Language): string {
  return file.replace('{lang}', language)
}
