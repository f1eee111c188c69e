/** What is told of releases: moderators and followers by notifications, programs by signed messages, all by a feed. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import * as moderation from '@wakestone/contract/marketplace/moderation-routes'
import * as projects from '@wakestone/contract/marketplace/projects-routes'
import * as releases from '@wakestone/contract/marketplace/releases-routes'
import * as webhooks from '@wakestone/contract/marketplace/webhooks-routes'
import { mostWebhooks, webhookBodySchema } from '@wakestone/contract/marketplace/webhooks'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { webhookTries } from '../../apps/server/src/features/marketplace/announcements/job-definitions.ts'
import { announceReleases, sendDelivery } from '../../apps/server/src/features/marketplace/announcements/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { type Author, makeJar, makeProject, sendToGate, signUpAuthor } from '../support/marketplace.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

type Told = { headers: IncomingHttpHeaders; body: string }
const told: Told[] = []
let answer = 200
const program = createServer((request, response) => {
  void text(request).then((body) => {
    told.push({ headers: request.headers, body })
    response.writeHead(answer).end('x'.repeat(10_000))
  })
})
let address = ''
let api: TestApi
let author: Author
let moderator: Caller
let follower: Caller

beforeAll(async () => {
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(program.address() as AddressInfo).port}/releases`
  api = await startTestApi({ ALLOW_PRIVATE_TARGETS: '1' })
  author = await signUpAuthor(api)
  moderator = await signUpAuthor(api, { 'admin.marketplace': true })
  follower = await api.signUp()
})
afterAll(async () => {
  await api?.close()
  program.closeAllConnections()
  program.close()
})
beforeEach(() => {
  told.length = 0
  answer = 200
})

const announce = () => announceReleases(api.context)
const pending = async () => {
  const { rows } = await sql<{ id: string }>`select id from project_webhook_deliveries
    where state = 'pending' order by created_at`.execute(api.context.db)
  return rows.map(({ id }) => id)
}
/** As the job queue does it, without the waiting. @returns whether each was taken */
const deliver = async () =>
  Promise.all(
    (await pending()).map((id) =>
      sendDelivery(api.context, id).then(
        () => true,
        () => false,
      ),
    ),
  )
const kindsOf = async (caller: Caller, kind: string) =>
  (await caller.call(listNotifications, { params: { id: caller.user.id }, query: {} })).notifications.filter(
    ({ type }) => type === kind,
  )

async function publish(slug: string, version: string, more: object = {}, by: Author = author): Promise<string> {
  const { id, state } = await sendToGate(api, by, { slug, version, file: makeJar(version), more })
  if (state === 'waiting')
    await moderator.call(moderation.decideRelease, { params: { releaseId: id }, body: { decision: 'publish' } })
  return id
}

test('moderators learn that something waits for them, once; followers of what is out', async () => {
  const { slug } = await makeProject(author, 'Lanterns')
  await follower.call(projects.followProject, { params: { slug } })
  const { id, state } = await sendToGate(api, author, { slug })
  expect(state).toBe('waiting')
  await announce()
  await announce()
  expect(await kindsOf(moderator, 'RELEASE_WAITING')).toMatchObject([
    { title: 'A release of Lanterns is waiting for review', actions: [{ path: '/en/admin/marketplace' }] },
  ])
  expect(await kindsOf(follower, 'PROJECT_RELEASED')).toEqual([])
  await moderator.call(moderation.decideRelease, { params: { releaseId: id }, body: { decision: 'publish' } })
  await announce()
  const [one, ...others] = await kindsOf(follower, 'PROJECT_RELEASED')
  expect(others).toEqual([])
  expect(one).toMatchObject({ title: 'Lanterns 1.0.0 is out', resource_type: 'market_project' })
  expect(await kindsOf(author, 'PROJECT_RELEASED')).toEqual([])
  expect(await kindsOf(author, 'RELEASE_PUBLISHED')).toMatchObject([{ title: 'Lanterns 1.0.0 is published' }])
  await publish(slug, '1.1.0', { release_type: 'private' })
  await announce()
  expect(await kindsOf(follower, 'PROJECT_RELEASED')).toHaveLength(1)
})

test('authors learn that a release was refused, and why', async () => {
  const { slug } = await makeProject(author, 'Candles')
  const { id } = await sendToGate(api, author, { slug })
  const body = { decision: 'refuse' as const, reason: 'It burns the house down' }
  await moderator.call(moderation.decideRelease, { params: { releaseId: id }, body })
  await announce()
  const [one] = await kindsOf(author, 'RELEASE_REFUSED')
  expect(one).toMatchObject({
    title: 'Candles 1.0.0 was refused',
    actions: [{ path: expect.stringMatching(/^\/m\//) }],
  })
  expect(one?.text).toContain('Reason: It burns the house down')
  expect(await kindsOf(follower, 'RELEASE_REFUSED')).toEqual([])
})

test('a program is sent a ping, and each release with a signature that holds', async () => {
  const { slug, id: projectId } = await makeProject(author, 'Bells')
  const params = { slug }
  const made = await author.call(webhooks.createWebhook, { params, body: { url: address } })
  await deliver()
  expect(told).toHaveLength(1)
  const releaseId = await publish(slug, '1.0.0')
  await announce()
  await deliver()
  expect(told.map(({ headers }) => headers['x-wakestone-event'])).toEqual(['ping', 'release.published'])
  for (const { headers, body } of told) {
    const signature = createHmac('sha256', made.secret).update(body).digest('hex')
    expect(headers['x-wakestone-signature']).toBe(`sha256=${signature}`)
    expect(headers.cookie).toBeUndefined()
    expect(webhookBodySchema.parse(JSON.parse(body))).toMatchObject({
      delivery_id: headers['x-wakestone-delivery'],
      project: { id: projectId, slug },
    })
  }
  expect(JSON.parse(told[1]!.body)).toMatchObject({ release: { id: releaseId, version: '1.0.0', loaders: ['paper'] } })
  // Told of once, however often that is looked for.
  await announce()
  await deliver()
  expect(told).toHaveLength(2)
  await author.byKey(releases.deleteRelease, { params: { slug, releaseId } })
  await publish(slug, '2.0.0', { release_type: 'private' })
  await announce()
  await deliver()
  expect(told.map(({ headers }) => headers['x-wakestone-event']).slice(2)).toEqual(['release.withdrawn'])
  const [shown] = await author.call(webhooks.listWebhooks, { params })
  expect(shown!.deliveries.map(({ event, state, status }) => [event, state, status])).toEqual([
    ['release.withdrawn', 'delivered', 200],
    ['release.published', 'delivered', 200],
    ['ping', 'delivered', 200],
  ])
})

test('one that does not answer well is tried again and again, with the same message, and left in the end', async () => {
  const { slug } = await makeProject(author, 'Echoes')
  const params = { slug }
  const { id } = await author.call(webhooks.createWebhook, { params, body: { url: address } })
  answer = 503
  for (let attempt = 1; attempt < webhookTries; attempt += 1) expect(await deliver()).toEqual([false])
  const state = async () => {
    const [delivery] = (await author.call(webhooks.listWebhooks, { params }))[0]!.deliveries
    return [delivery!.state, delivery!.attempts, delivery!.status]
  }
  expect(await state()).toEqual(['pending', webhookTries - 1, 503])
  expect(await deliver()).toEqual([true])
  expect(await state()).toEqual(['failed', webhookTries, 503])
  expect(new Set(told.map(({ body }) => body)).size).toBe(1)
  // Gone is gone.
  answer = 410
  await author.call(webhooks.pingWebhook, { params: { slug, webhookId: id } })
  expect(await deliver()).toEqual([true])
  expect(await state()).toEqual(['failed', 1, 410])
  // A redirect leads nowhere.
  answer = 302
  await author.call(webhooks.pingWebhook, { params: { slug, webhookId: id } })
  expect(await deliver()).toEqual([false])
  answer = 200
  expect(await deliver()).toEqual([true])
  expect(await state()).toEqual(['delivered', 2, 200])
  await author.call(webhooks.deleteWebhook, { params: { slug, webhookId: id } })
  expect(await author.call(webhooks.listWebhooks, { params })).toEqual([])
})

test('where private addresses are not called, none is: neither as one is named nor as it is posted to', async () => {
  const strict = await startTestApi()
  onTestFinished(() => strict.close())
  const owner = await signUpAuthor(strict)
  const { slug, id: projectId } = await makeProject(owner, 'Walls')
  for (const url of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://user:secret@example.com/',
    'https://example.com:22/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'no address',
  ])
    expect(await outcomeOf(owner.call(webhooks.createWebhook, { params: { slug }, body: { url } })), url).toBe(
      'invalid_request',
    )
  // A name that leads here is found out as it is connected to.
  const { rows } = await sql<{ id: string }>`insert into project_webhooks (project_id, url)
    values (${projectId}, 'https://localhost/') returning id`.execute(strict.context.db)
  await owner.call(webhooks.pingWebhook, { params: { slug, webhookId: rows[0]!.id } })
  const { rows: deliveries } = await sql<{ id: string }>`select id from project_webhook_deliveries`.execute(
    strict.context.db,
  )
  await sendDelivery(strict.context, deliveries[0]!.id)
  expect((await owner.call(webhooks.listWebhooks, { params: { slug } }))[0]!.deliveries).toMatchObject([
    { state: 'failed', attempts: 1, status: null },
  ])
})

test('webhooks are for those who manage a project, and there are not many of them', async () => {
  const { slug } = await makeProject(author, 'Keys')
  const params = { slug }
  const stranger = await signUpAuthor(api)
  const ask = stranger.call(webhooks.listWebhooks, { params })
  expect(await refusalOf(ask)).toMatchObject({ error: 'not_project_member' })
  const create = (place: number) =>
    author.call(webhooks.createWebhook, { params, body: { url: `${address}/${place}` } })
  for (let place = 0; place < mostWebhooks; place += 1) await create(place)
  expect(await outcomeOf(create(mostWebhooks))).toBe('invalid_request')
  const [first] = await author.call(webhooks.listWebhooks, { params })
  await author.call(webhooks.deleteWebhook, { params: { slug, webhookId: first!.id } })
  expect(await outcomeOf(create(1))).toBe('resource_already_exists')
  const foreign = await makeProject(author, 'Other keys')
  expect(
    await outcomeOf(author.call(webhooks.deleteWebhook, { params: { slug: foreign.slug, webhookId: first!.id } })),
  ).toBe('resource_not_found')
})

test('the feed has what everybody may see, and is XML whatever authors write', async () => {
  const { slug } = await makeProject(author, 'Ropes & <Knots> "all"')
  const read = async (key: string) => {
    const response = await fetch(`${api.origin}/api/v1/marketplace/projects/${key}/releases.atom`)
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
  }
  await publish(slug, '1.0.0', { description: 'New: ]]> & <b>bold</b>' })
  await publish(slug, '1.1.0', { release_type: 'private' })
  await publish(slug, '1.2.0')
  const { status, type, body } = await read(slug)
  expect([status, type]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  expect([...body.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
    'Ropes &amp; &lt;Knots&gt; &quot;all&quot;',
    'Ropes &amp; &lt;Knots&gt; &quot;all&quot; 1.2.0',
    'Ropes &amp; &lt;Knots&gt; &quot;all&quot; 1.0.0',
  ])
  // Nothing but what an Atom feed is made of stands in it as a tag.
  const tags = new Set([...body.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))
  expect([...tags].toSorted()).toEqual(
    ['feed', 'id', 'title', 'updated', 'author', 'name', 'link', 'entry', 'published', 'content'].toSorted(),
  )
  const hidden = await makeProject(author, 'Hidden', { visibility: 'private' })
  await publish(hidden.slug, '1.0.0')
  expect((await read(hidden.slug)).status).toBe(404)
  expect((await read('nothing-here')).status).toBe(404)
})

test('RSS of a project and of its author: valid times and names that stay, and nothing that is not public', async () => {
  const writer = await signUpAuthor(api)
  const { slug, id } = await makeProject(writer, 'Bells & <Whistles>')
  await publish(slug, '1.0.0', { description: 'Rings ]]> <b>loud</b>' }, writer)
  await publish(slug, '1.1.0', { release_type: 'private' }, writer)
  for (const visibility of ['unlisted', 'private'] as const)
    await publish((await makeProject(writer, `Not listed ${visibility}`, { visibility })).slug, '9.0.0', {}, writer)
  const second = await makeProject(writer, 'Second thing')
  await publish(second.slug, '0.1.0', {}, writer)
  const read = async (path: string) => {
    const response = await fetch(`${api.origin}/api/v1/marketplace/${path}/releases.rss`)
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
  }
  const all = (body: string, tag: string) =>
    [...body.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'g'))].map(([, inner]) => inner)
  const one = await read(`projects/${slug}`)
  expect([one.status, one.type]).toEqual([200, 'application/rss+xml; charset=utf-8'])
  expect(all(one.body, 'title')).toEqual(['Bells &amp; &lt;Whistles&gt;', 'Bells &amp; &lt;Whistles&gt; 1.0.0'])
  expect(all(one.body, 'description').join()).not.toMatch(/[<>]/)
  const ofAuthor = await read(`authors/${writer.user.id}`)
  expect(all(ofAuthor.body, 'title').slice(1)).toEqual(['Second thing 0.1.0', 'Bells &amp; &lt;Whistles&gt; 1.0.0'])
  for (const { body } of [one, ofAuthor])
    for (const time of [...all(body, 'pubDate'), ...all(body, 'lastBuildDate')]) {
      expect(time).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
      expect(Math.abs(Date.now() - Date.parse(time!))).toBeLessThan(600_000)
    }
  const guids = all(ofAuthor.body, 'guid')
  expect(new Set(guids).size).toBe(2)
  expect(guids).toContain(all(one.body, 'guid')[0])
  expect(all((await read(`projects/${id}`)).body, 'guid')).toEqual(all(one.body, 'guid'))
  expect((await read('authors/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await read(`authors/${(await signUpAuthor(api)).user.id}`)).status).toBe(404)
})
