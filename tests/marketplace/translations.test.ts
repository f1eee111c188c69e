/** Descriptions in languages that authors left empty, by a machine: marked, cleaned, bounded, never in an author's place. */
import { getProject, changeProject } from '@wakestone/contract/marketplace/projects-routes'
import type { Language } from '@wakestone/contract/primitives'
import { startChatSimulator, type ChatSimulator } from '@wakestone/simulators/chat-completions'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { translateDescriptions } from '../../apps/server/src/features/marketplace/translations/service.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isLong, someOf } from '../support/long.ts'
import { type Author, makeProject, signUpAuthor } from '../support/marketplace.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let chat: ChatSimulator
let api: TestApi
let author: Author

beforeAll(async () => {
  chat = await startChatSimulator()
  api = await startTestApi({
    TRANSLATION_URL: chat.url,
    TRANSLATION_API_KEY: chat.key,
    TRANSLATION_CHARACTERS_PER_DAY: '2000',
  })
  author = await signUpAuthor(api)
})
afterAll(async () => {
  await api?.close()
  await chat?.close()
})
beforeEach(async () => {
  chat.trouble = undefined
  chat.asked.length = 0
  await sql`delete from translation_spending`.execute(api.context.db)
  await sql`update projects set visibility = 'private'`.execute(api.context.db)
})

const run = () => translateDescriptions(api.context)
const soon = () => sql`update project_translations set next_try_at = now()`.execute(api.context.db)

let releases = 0
/** With a release, without the way through the gate. */
async function publish(name: string, more: object = {}): Promise<string> {
  const { slug, id } = await makeProject(author, name, more)
  releases += 1
  await sql`insert into releases (id, project_id, version, release_type, state, game_versions, loaders, manifest, published_at)
    values (${`t${String(releases).padStart(12, '0')}`}, ${id}, '1.0.0', 'stable', 'published', array['1.21.4'],
      array['paper'], '{}', now())`.execute(api.context.db)
  return slug
}
const shown = async (slug: string, language: Language) => {
  const project = await author.call(getProject, { params: { slug }, query: { language } })
  return {
    short: project.short_description,
    of: (one: Language) => project.descriptions.find((text) => text.language === one),
  }
}

test('what an author left empty is translated and marked; what they then write takes its place and stays', async () => {
  const slug = await publish('Harbour', { translation_prompt: 'Harbour stays as it is.' })
  expect(await run()).toBe(2)
  expect(chat.asked.map(({ model }) => model)).toEqual(['gpt-4.1-mini', 'gpt-4.1-mini'])
  expect(chat.asked[0]!.messages[0]!.content).toContain('Harbour stays as it is.')
  const polish = await shown(slug, 'pl')
  expect(polish.short).toBe('Polish: What Harbour does')
  expect(polish.of('pl')).toMatchObject({ is_machine: true, is_original: false })
  expect(polish.of('en')).toMatchObject({ is_machine: false, is_original: true })
  expect(await run()).toBe(0)

  const own = { language: 'pl' as const, short_description: 'Co robi Harbour', description: 'Po polsku.' }
  const [original] = (await author.call(getProject, { params: { slug }, query: {} })).descriptions
  const written = { language: 'en' as const, short_description: 'Changed words', description: original!.description }
  await author.call(changeProject, { params: { slug }, body: { descriptions: [written, own] } })
  expect((await shown(slug, 'pl')).of('pl')).toMatchObject({
    is_machine: false,
    short_description: own.short_description,
  })
  // The German one is of a text that is no more: until there is another, the original is shown.
  expect((await shown(slug, 'de')).of('de')).toBeUndefined()
  expect(await run()).toBe(1)
  expect((await shown(slug, 'de')).short).toBe('German: Changed words')
  expect((await shown(slug, 'pl')).short).toBe(own.short_description)
})

test('what a machine sends is cleaned as what authors send is', async () => {
  const slug = await publish('Hostile')
  chat.trouble = 'html'
  await run()
  const { html } = (await shown(slug, 'de')).of('de')!
  expect(html).toContain('<strong>kept</strong>')
  expect(html).not.toMatch(/<script|<img[^>]*onerror|javascript:|<iframe/i)
})

test.each(someOf(['failing', 'cut', 'length', 'prose', 'garbage', 'huge'] as const, 2))(
  'a service that is %s: nothing is shown, and it is tried again later',
  async (trouble) => {
    const slug = await publish(`Trouble ${trouble}`)
    chat.trouble = trouble
    expect(await run()).toBe(0)
    expect((await shown(slug, 'pl')).of('pl')).toBeUndefined()
    const asked = chat.asked.length
    expect(asked).toBe(2)
    await run()
    expect(chat.asked.length).toBe(asked) // not yet
    await soon()
    chat.trouble = undefined
    expect(await run()).toBe(2)
  },
)

test('one that asks for patience is left alone for as long as it says, and no text is tried for ever', async () => {
  const slug = await publish('Patience')
  chat.trouble = 'busy'
  await run()
  expect(chat.asked).toHaveLength(1)
  const { rows } = await sql<{ wait: number }>`select extract(epoch from next_try_at - now())::integer as wait
    from project_translations join projects on projects.id = project_id where slug = ${slug}`.execute(api.context.db)
  expect(rows[0]!.wait).toBeGreaterThan(30)
  chat.trouble = 'failing'
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await sql`delete from translation_spending`.execute(api.context.db)
    await soon()
    await run()
  }
  expect(chat.asked.length).toBeLessThan(20)
  await soon()
  chat.trouble = undefined
  expect(await run()).toBe(0)
})

test.runIf(isLong)('no more is sent on a day than may be', async () => {
  for (const name of ['Long one', 'Long two'])
    await publish(name, {
      descriptions: [{ language: 'en', short_description: `What ${name} does`, description: 'x'.repeat(700) }],
    })
  expect(await run()).toBe(2) // 1 400 of 2 000 characters
  expect(chat.asked).toHaveLength(2)
  await sql`update translation_spending set day = day - 1`.execute(api.context.db)
  expect(await run()).toBe(2)
})

test('off unless a service is set', async () => {
  await publish('Quiet')
  const settings = { ...api.context.settings, TRANSLATION_URL: undefined }
  expect(await translateDescriptions({ ...api.context, settings })).toBe(0)
  expect(chat.asked).toEqual([])
})
