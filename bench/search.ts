/**
 * Measures the gallery of the marketplace through the front door: 100 000 projects with ten releases each, the times that
 * browsing, words, words half typed or mistyped, and filters by what one release fits take, and whether a project is
 * found by a name with a typo.
 *
 *   node bench/search.ts
 */
import pg from 'pg'
import { pathOf } from '@wakestone/contract/client'
import { searchProjects } from '@wakestone/contract/marketplace/projects-routes'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportFigure } from './fixtures/figure.ts'
import { reportLatency } from './fixtures/latency.ts'

const projects = 100_000
const releasesEach = 10
const page = 20

const beginnings =
  'lantern stone river cloud ember moss frost copper amber raven willow harbor quartz meadow thunder velvet'.split(' ')
const middles = 'craft guard shop chat world claims homes warps duels quests skills mobs pets crates ranks maps'.split(
  ' ',
)
const endings =
  'plus lite pro core extra tools engine manager bridge sync logger filter booster limiter helper kit'.split(' ')

/** Names of three words of 16 each, and a number: a word is in a sixteenth of all, two of them in one of 256. */
async function fill(database: pg.Client): Promise<void> {
  await database.query(
    'alter table projects disable trigger user; alter table releases disable trigger user; alter table project_descriptions disable trigger user',
  )
  await database.query(
    `insert into projects (slug, name, project_type, game_tags, labels, author_name, visibility, downloads, follows, released_at)
     select one || '-' || two || '-' || three || '-' || n, initcap(one || ' ' || two || ' ' || three) || ' ' || n,
       (array['plugin', 'mod', 'map', 'config'])[1 + n % 4], array['minecraft', 'minecraft-java'],
       array[(array['economy', 'protection', 'fun', 'chat', 'world', 'admin'])[1 + n % 6]], 'Author' || n % 5000, 'public',
       (1e6 / (1 + (n * 7919) % 100000))::int, n % 300, now()
     from (select n, ($1::text[])[1 + n % 16] as one, ($2::text[])[1 + (n / 16) % 16] as two,
       ($3::text[])[1 + (n / 256) % 16] as three from generate_series(1, $4::int) as n) named`,
    [beginnings, middles, endings, projects],
  )
  await database.query(
    `insert into project_descriptions select id, 'en', 'What ' || name || ' does for your server', '', '', true from projects`,
  )
  await database.query(
    `insert into releases (id, project_id, version, release_type, state, game_versions, loaders, manifest, published_at)
     select lpad(to_hex(number * 100 + r), 13, '0'), project.id, '1.' || r, 'stable', 'published',
       array['1.' || 12 + r, '1.' || 12 + r || '.' || number % 4],
       array[(array['paper', 'fabric', 'forge', 'velocity', 'neoforge'])[1 + (number + r) % 5]], '{}', now()
     from (select id, row_number() over (order by id) as number from projects) project, generate_series(0, $1::int) as r`,
    [releasesEach - 1],
  )
  await database.query(
    'alter table projects enable trigger user; alter table releases enable trigger user; alter table project_descriptions enable trigger user',
  )
  // Without statistics the planner reads all releases for each project.
  await database.query('analyze projects, releases, project_descriptions')
  const { rows } = await database.query<{ ids: string[] }>(
    'select array_agg(id) as ids from (select id, row_number() over () / 2000 as part from projects) parts group by part',
  )
  for (const { ids } of rows) await database.query('select write_project_documents($1)', [ids])
  await database.query('vacuum analyze projects, releases, project_descriptions, project_documents, project_words')
}

/** A word with one mistake: two letters changed round, one left out, one too many, or a wrong one. */
function misspelt(word: string, kind: number): string {
  const place = 1 + (kind % (word.length - 2))
  const before = word.slice(0, place)
  const [one = '', two = ''] = word.slice(place)
  const after = word.slice(place + 2)
  return before + ([two + one, two, one + one + two, `${one}w`][kind % 4] ?? '') + after
}

const searched = 400

/** Names of projects with a typo in one of their words: how many are among the first three. */
async function reportFound(search: (name: string) => Promise<string[]>): Promise<void> {
  let found = 0
  for (let index = 0; index < searched; index += 1) {
    const number = 1 + ((index * 7919) % projects)
    const parts = [beginnings, middles, endings].map((list, place) => list[Math.floor(number / 16 ** place) % 16] ?? '')
    const typed = parts.map((word, place) => (place === index % 3 ? misspelt(word, index) : word))
    const name = [...parts, number].join(' ')
    const answer = await search([...typed, number].join(' '))
    if (answer.some((one) => one.toLowerCase() === name)) found += 1
  }
  reportFigure('a project whose name is mistyped, among the first three', (100 * found) / searched, '%', {
    atLeast: 85,
  })
}

const product = await startBenchDatabase()
try {
  const api = await startBenchApi(product)
  const database = new pg.Client(product.databaseUrl)
  await database.connect()
  product.defer(() => database.end())
  await fill(database)
  const search = (query: object) => pathOf(searchProjects, { query: { limit: page, ...query } })
  const measure = (name: string, allowed: number, queries: readonly object[]) =>
    reportLatency(`${projects.toLocaleString('en')} projects, ${name}`, api, {
      paths: queries.map(search),
      allowed,
      percent: 95,
    })

  await measure('browsing', 30, [
    {},
    { sort: 'updated' },
    { labels: 'plugin' },
    { labels: 'mod,economy' },
    { loader: 'paper' },
    { loader: 'paper', game_version: '1.21' },
    { loader: 'velocity', game_version: '1.20.3', labels: 'map' },
    { loader: 'quilt' }, // none
  ])
  const words = [...beginnings, ...middles, ...endings]
  await measure(
    'a word with loader and version',
    30,
    words.map((word, index) => ({ name: `${word} `, loader: 'fabric', game_version: `1.${14 + (index % 6)}` })),
  )
  await measure(
    'a word with counts of facets',
    60,
    words.map((word) => ({ name: `${word} `, facets: '1' })),
  )
  await measure(
    'a word half typed',
    60,
    words.flatMap((word) => [1, 2, 3, 4, 5].map((length) => ({ name: word.slice(0, length) }))),
  )
  await measure(
    'a word with a typo',
    60,
    words.map((word, index) => ({ name: `${misspelt(word, index)} ` })),
  )
  await reportFound(async (name) => {
    const found = await api.call(searchProjects, { query: { limit: 3, name } })
    return found.projects.map((project) => project.name)
  })
} finally {
  await product.stop()
}
