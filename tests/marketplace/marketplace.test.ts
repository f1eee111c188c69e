/** Every call of the marketplace, through the front door. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as moderation from '@wakestone/contract/marketplace/moderation-routes'
import * as projects from '@wakestone/contract/marketplace/projects-routes'
import * as releases from '@wakestone/contract/marketplace/releases-routes'
import * as reviews from '@wakestone/contract/marketplace/reviews-routes'
import { projectSchema } from '@wakestone/contract/marketplace/project'
import { countUses } from '../../apps/server/src/features/marketplace/reviews/service.ts'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import {
  type Author,
  makeJar,
  makeProject,
  projectBody,
  sendPart,
  sendRelease,
  sendToGate,
  sha256,
  signUpAuthor,
  releaseBody,
} from '../support/marketplace.ts'
import { outcomeOf } from '../support/outcome.ts'
import { order, topUp } from '../support/servers.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let api: TestApi
let author: Author
let other: Caller
let moderator: Caller

beforeAll(async () => {
  api = await startTestApi({ LIMIT_PROJECT_CHANGES: '0' })
  author = await signUpAuthor(api, { 'marketplace.project-create-without-suffix': true })
  other = await api.signUp()
  moderator = await api.signUp({ admin: true })
})
afterAll(() => api?.close())

const found = async (query: object, caller: Pick<Caller, 'call'> | undefined = undefined) => {
  const call = caller?.call ?? api.anonymous
  return (await call(projects.searchProjects, { query })).projects.map(({ slug }) => slug)
}

describe('a project', () => {
  test('is made with an address of its name, shown with its texts cleaned, and found once it has a release', async () => {
    const made = await makeProject(author, 'Żółte Latarnie', {
      labels: ['lights'],
      descriptions: [
        {
          language: 'pl',
          short_description: 'Latarnie, które same się zapalają',
          description:
            '# Opis\n<script>alert(1)</script>\n\n[zły](javascript:alert(1)) [dobry](https://example.com) ![x](https://example.com/x.png)',
        },
      ],
    })
    expect(made).toMatchObject({ slug: 'zolte-latarnie', role: 'owner', visible: false, latest_release: null })
    const shown = await api.anonymous(projects.getProject, { params: { slug: made.slug } })
    const html = shown.descriptions[0]?.html ?? ''
    expect(html).not.toMatch(/<script|javascript:|<img/)
    expect(html).toContain('href="https://example.com/"')
    expect(shown.role).toBeNull()
    expect(await found({ name: 'latarnie' })).toEqual([])
    expect(await found({ name: 'latarnie', has_release: '0' })).toEqual([made.slug])
    const waiting = await sendToGate(api, author, { slug: made.slug })
    expect(waiting).toMatchObject({ state: 'waiting', queue: { position: 1, length: 1, usual_seconds: null } })
    await moderator.call(moderation.decideRelease, { params: { releaseId: waiting.id }, body: { decision: 'publish' } })
    expect(await found({ name: 'latarnie' })).toEqual([made.slug])
    expect(await found({ name: 'latarn' })).toEqual([made.slug])
    expect(await found({ name: 'latranie' })).toEqual([made.slug])
    expect(await found({ name: 'latarnie ' })).toEqual([made.slug])
    expect(await found({ labels: 'plugin,lights' })).toEqual([made.slug])
    expect(await found({ labels: 'mod,lights' })).toEqual([])
    expect(await found({ loader: 'paper', game_version: '1.21.4' })).toContain(made.slug)
    expect(await found({ loader: 'fabric', game_version: '1.21.4' })).not.toContain(made.slug)
    expect(
      await outcomeOf(
        author.call(projects.changeProject, { params: { slug: made.slug }, body: { slug: 'other-name' } }),
      ),
    ).toBe('market_project_bad_slug')
  })

  test.each([
    ['a name of ours', { slug: 'admin' }, 'market_project_bad_slug'],
    ['one that looks like an id', { slug: '0190a0a0-0000-7000-8000-000000000000' }, 'market_project_bad_slug'],
    ['capitals', { slug: 'Abc-Def' }, 'market_project_bad_slug'],
    ['no text at all', { descriptions: [] }, 'missing_original_description'],
    [
      'a long short text',
      { descriptions: [{ language: 'en', short_description: 'x'.repeat(256) }] },
      'short_description_too_long',
    ],
    [
      'a long text',
      { descriptions: [{ language: 'en', short_description: 'xxx', description: 'x'.repeat(65_537) }] },
      'description_too_long',
    ],
    [
      'two originals',
      {
        descriptions: [
          { language: 'en', short_description: 'one' },
          { language: 'en', short_description: 'two' },
        ],
      },
      'invalid_request',
    ],
    ['a name that turns round', { name: 'abc‮def' }, 'invalid_request'],
  ])('is refused with %s', async (_, more, code) => {
    expect(await outcomeOf(makeProject(author, 'Refused one', more))).toBe(code)
  })

  test.runIf(isLong)('has a suffix where its author may not choose, and one address is one project', async () => {
    const plain = await signUpAuthor(api)
    expect((await makeProject(plain, 'Same name')).slug).toMatch(/^same-name-[a-z0-9]{4}$/)
    await makeProject(author, 'Same name')
    expect(await outcomeOf(makeProject(author, 'Same name'))).toBe('resource_already_exists')
  })

  test('that is private exists for its members alone', async () => {
    const { slug, id } = await makeProject(author, 'Hidden one', { visibility: 'private' })
    expect(await outcomeOf(api.anonymous(projects.getProject, { params: { slug } }))).toBe('resource_not_found')
    expect(await outcomeOf(other.call(projects.getProject, { params: { slug: id } }))).toBe('resource_not_found')
    expect(await outcomeOf(other.call(projects.changeProject, { params: { slug }, body: { name: 'Mine now' } }))).toBe(
      'resource_not_found',
    )
    expect(await found({ projectMember: author.user.id, has_release: '0' }, other)).not.toContain(slug)
    expect(await found({ projectMember: author.user.id, has_release: '0' }, author)).toContain(slug)
  })

  test.runIf(isLong)('takes pictures, drawn anew, and refuses what is none', async () => {
    const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#f5b942' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('payload_json', JSON.stringify(projectBody('With pictures')))
    form.append('icon', new Blob([new Uint8Array(png)], { type: 'text/html' }), '../../icon.html')
    form.append('image', new Blob([new Uint8Array(png)]), 'a.png')
    const send = (body: FormData, cookie = author.cookie()) =>
      fetch(`${api.origin}/api/v1/marketplace/projects`, { method: 'POST', body, headers: { cookie } })
    const answer = await send(form)
    expect(answer.status).toBe(201)
    const made = projectSchema.parse(await answer.json())
    expect(made.media).toMatchObject([
      { kind: 'icon', width: 512, height: 341 },
      { kind: 'image', width: 900, height: 600 },
    ])
    const icon = await fetch(`${api.origin}${made.media[0]?.url}`)
    expect(icon.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(Buffer.from(await icon.arrayBuffer())).metadata()).format).toBe('webp')
    const svg = new FormData()
    svg.set('payload_json', JSON.stringify(projectBody('With a script')))
    svg.append('icon', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>']), 'a.png')
    expect((await send(svg)).status).toBe(400)
    expect((await send(form, '')).status).toBe(401)
    const params = { slug: made.slug, name: made.media[1]?.name ?? '' }
    await author.call(projects.deleteProjectMedia, { params })
    expect(await outcomeOf(author.call(projects.deleteProjectMedia, { params }))).toBe('resource_not_found')
    expect((await fetch(`${api.origin}${made.media[1]?.url}`)).status).toBe(404)
  })

  test('has members by roles, and never loses its last owner', async () => {
    const { slug } = await makeProject(author, 'With members')
    const member = { slug, userId: other.user.id }
    const change = () => other.call(projects.changeProject, { params: { slug }, body: { labels: ['ours'] } })
    expect(await outcomeOf(change())).toBe('not_project_member')
    await author.call(projects.setProjectMember, { params: member, body: { role: 'viewer' } })
    expect(await outcomeOf(change())).toBe('not_project_member')
    await author.call(projects.setProjectMember, { params: member, body: { role: 'editor' } })
    expect((await change()).labels).toEqual(['ours'])
    expect(await outcomeOf(other.call(projects.setProjectMember, { params: member, body: { role: 'owner' } }))).toBe(
      'not_project_member',
    )
    const own = { slug, userId: author.user.id }
    expect(await outcomeOf(author.call(projects.setProjectMember, { params: own, body: { role: 'viewer' } }))).toBe(
      'last_project_owner',
    )
    expect(await outcomeOf(author.call(projects.removeProjectMember, { params: own }))).toBe('last_project_owner')
    await other.call(projects.removeProjectMember, { params: member })
    expect(await outcomeOf(change())).toBe('not_project_member')
  })

  test('is followed', async () => {
    const { slug } = await makeProject(author, 'Followed one')
    await other.call(projects.followProject, { params: { slug } })
    await other.call(projects.followProject, { params: { slug } })
    const list = await other.call(projects.followedProjects, { query: {} })
    expect(list.projects.map((one) => [one.slug, one.follows])).toEqual([[slug, 1]])
    expect((await other.call(projects.getProject, { params: { slug } })).is_followed).toBe(true)
    await other.call(projects.unfollowProject, { params: { slug } })
    expect((await other.call(projects.getProject, { params: { slug } })).follows).toBe(0)
  })
})

describe('a release', () => {
  test.runIf(isLong)(
    'is looked at again where the machine fails the gate, and refused only if that stays so',
    async () => {
      const { inspectRelease } = await import('../../apps/server/src/features/marketplace/releases/inspection.ts')
      const { cluster } = api.context.fleet
      /** A machine on which boxes come to nothing for so many times. */
      const failing = (times: number) => {
        let left = times
        const runTask: typeof cluster.runTask = (place, task) =>
          cluster.runTask(place, left-- > 0 ? { ...task, command: ['/bin/false'] } : task)
        return { ...api.context, fleet: { ...api.context.fleet, cluster: { ...cluster, runTask } } }
      }
      for (const [name, times, state] of [
        ['Unlucky once', 1, 'waiting'],
        ['Unlucky always', 100, 'refused'],
      ] as const) {
        const { slug } = await makeProject(author, name)
        const { release } = await sendRelease(api, author, { slug })
        await inspectRelease(failing(times), release.id)
        const params = { slug, releaseId: release.id }
        expect((await author.call(releases.getRelease, { params })).state).toBe(state)
      }
    },
  )

  test('comes in parts, is looked at, handed out with its manifest, and never changes', async () => {
    const { slug, id } = await makeProject(author, 'Parts')
    const file = makeJar('1.0.0', { 'data.bin': new Uint8Array(100_000).map((_, index) => (index * 7919) % 251) })
    const made = await author.byKey(releases.createRelease, { params: { slug }, body: releaseBody(file) })
    const { url = '' } = made.uploads[0] ?? {}
    const half = Math.floor(file.length / 2)
    expect((await sendPart(api, url, file.subarray(0, half))).headers.get('upload-offset')).toBe(String(half))
    expect((await sendPart(api, url, file.subarray(0, half))).status).toBe(409)
    expect((await fetch(`${api.origin}${url}`, { method: 'HEAD' })).headers.get('upload-offset')).toBe(String(half))
    const again = await author.byKey(releases.resumeRelease, { params: { slug, releaseId: made.release.id } })
    expect(again.uploads).toMatchObject([{ offset: half, size: file.length }])
    expect((await sendPart(api, again.uploads[0]?.url ?? '', file.subarray(half), half)).status).toBe(204)
    expect((await sendPart(api, url, file.subarray(half), half)).status).toBe(403)
    const params = { slug, releaseId: made.release.id }
    expect((await author.call(releases.getRelease, { params })).state).toBe('checking')
    expect(await outcomeOf(api.anonymous(releases.getRelease, { params }))).toBe('resource_not_found')
    const { inspectRelease } = await import('../../apps/server/src/features/marketplace/releases/inspection.ts')
    await inspectRelease(api.context, made.release.id)
    await moderator.call(moderation.decideRelease, { params, body: { decision: 'publish' } })
    const shown = await api.anonymous(releases.getRelease, { params })
    expect(shown).toMatchObject({
      state: 'published',
      artifacts: [{ hash: sha256(file), size: file.length, type: 'jar', details: { entries: 2, kind: 'plugin.yml' } }],
      manifest: { name: slug, packageVersion: '1.0.0', downloadFiles: [{ hash: sha256(file) }] },
    })
    const bytes = await fetch(`${api.origin}${shown.manifest?.downloadFiles[0]?.url}`)
    expect(sha256(new Uint8Array(await bytes.arrayBuffer()))).toBe(sha256(file))
    await fetch(`${api.origin}${shown.artifacts[0]?.url}`)
    expect((await api.anonymous(projects.getProject, { params: { slug: id } })).downloads).toBe(1)
    const metrics = await author.call(reviews.getProjectMetrics, { params: { slug }, query: { label: 'version' } })
    expect(metrics).toEqual([{ label: '1.0.0', value: 1 }])
    expect(await outcomeOf(sendRelease(api, author, { slug }))).toBe('resource_already_exists')
    const changed = await author.call(releases.changeRelease, { params, body: { description: '**New** words' } })
    expect(changed.html).toContain('<strong>New</strong>')
    expect(await outcomeOf(author.call(releases.changeRelease, { params, body: { release_type: 'private' } }))).toBe(
      'release_not_changeable',
    )
    await expect(
      api.context.db.updateTable('releases').set({ version: '2' }).where('id', '=', made.release.id).execute(),
    ).rejects.toThrow('never changes')
    await author.call(releases.deleteRelease, { params })
    expect((await api.anonymous(releases.listReleases, { params: { slug } })).releases).toEqual([])
    expect(await api.anonymous(releases.getRelease, { params })).toMatchObject({ state: 'withdrawn' })
    expect(await found({ name: 'parts' })).toEqual([])
  })

  test('needs a second factor, or a key with the scope', async () => {
    const { slug } = await makeProject(author, 'Guarded')
    const begin = (caller: Pick<Caller, 'call'>) =>
      caller.call(releases.createRelease, { params: { slug }, body: releaseBody(makeJar()) })
    expect(await outcomeOf(begin(author))).toBe('second_factor_missing')
    expect(await outcomeOf(begin(other))).toBe('not_project_member')
    expect((await begin({ call: author.byKey })).release.state).toBe('draft')
  })

  test('whose bytes are others than it said has to come anew', async () => {
    const { slug } = await makeProject(author, 'Other bytes')
    const file = makeJar()
    const made = await author.byKey(releases.createRelease, { params: { slug }, body: releaseBody(file) })
    const [upload] = made.uploads
    const wrong = file.map((byte) => byte ^ 1)
    expect((await sendPart(api, upload?.url ?? '', wrong)).status).toBe(460)
    expect((await sendPart(api, upload?.url ?? '', new Uint8Array([...file, 1]))).status).toBe(413)
  })

  test.runIf(isLong)('of a known author is published by the gate; one that can do something new waits', async () => {
    const { slug } = await makeProject(author, 'Known one')
    const first = await sendToGate(api, author, { slug })
    await moderator.call(moderation.decideRelease, { params: { releaseId: first.id }, body: { decision: 'publish' } })
    const second = await sendToGate(api, author, { slug, version: '1.1.0', file: makeJar('1.1.0') })
    expect(second.state).toBe('published')
    const third = await sendToGate(api, author, {
      slug,
      version: '1.2.0',
      file: makeJar('1.2.0', { 'lib/x.so': 'ELF' }),
    })
    expect(third).toMatchObject({ state: 'waiting', findings: [{ rule: 'native_code', level: 'warning' }] })
    await moderator.call(moderation.decideRelease, {
      params: { releaseId: third.id },
      body: { decision: 'refuse', reason: 'What is it for?' },
    })
    expect(await author.call(releases.getRelease, { params: { slug, releaseId: third.id } })).toMatchObject({
      state: 'refused',
      reason: 'What is it for?',
    })
    const list = await api.anonymous(releases.listReleases, { params: { slug }, query: { limit: 1 } })
    expect([list.has_more, list.releases[0]?.version]).toEqual([true, '1.1.0'])
    const next = await api.anonymous(releases.listReleases, {
      params: { slug },
      query: { limit: 1, after: list.releases[0]?.id ?? '' },
    })
    expect([next.has_more, next.releases[0]?.version]).toEqual([false, '1.0.0'])
    expect((await api.anonymous(projects.getProject, { params: { slug } })).latest_release?.version).toBe('1.1.0')
  })

  test.each([
    ['a path that leads out', { '../../evil.txt': 'x' }, 'entry_path'],
    ...(isLong
      ? ([
          ['one that Windows takes for a device', { 'plugins/con.txt': 'x' }, 'entry_path'],
          ['two names that are one elsewhere', { 'A.txt': 'x', 'a.txt': 'y' }, 'entry_twice'],
          ['what unpacks to far more', { 'zeros.bin': new Uint8Array(40_000_000) }, 'archive_expands'],
          ['a key of its author’s', { 'deploy.pem': '-----BEGIN OPENSSH PRIVATE KEY-----\nabc' }, 'secret_packed'],
        ] as const)
      : []),
    ['nothing for its loader', { 'plugin.yml': '' }, undefined],
  ] as const)('with %s is refused', async (name, files, rule) => {
    const { slug } = await makeProject(author, `Bad ${name}`.slice(0, 60))
    const file = rule === undefined ? makeJar('1.0.0') : makeJar('1.0.0', files as Record<string, string>)
    const more = rule === undefined ? { loaders: ['fabric'] } : {}
    const release = await sendToGate(api, author, { slug, file, more })
    expect(release.state).toBe('refused')
    expect(release.findings.map((one) => one.rule)).toContain(rule ?? 'loader_missing')
  })
})

describe('moderators', () => {
  test.runIf(isLong)('see what waits and what was reported; others do not', async () => {
    expect(await outcomeOf(author.call(moderation.listWaitingReleases, {}))).toBe('insufficient_capabilities')
    const { slug } = await makeProject(author, 'Reported one')
    const release = await sendToGate(api, author, { slug })
    const waiting = await moderator.call(moderation.listWaitingReleases, {})
    expect(waiting.map((one) => one.release.id)).toContain(release.id)
    await other.call(reviews.reportProject, { params: { slug }, body: { reason: 'stolen', comment: 'It is mine' } })
    const report = (await moderator.call(moderation.listProjectReports, {})).find((one) => one.project.slug === slug)
    expect(report).toMatchObject({ reason: 'stolen', comment: 'It is mine' })
    await moderator.call(moderation.closeProjectReport, { params: { reportId: report?.id ?? '' } })
    await moderator.call(moderation.verifyProject, { params: { slug }, body: { verified: true } })
    await moderator.call(moderation.takeDownProject, { params: { slug }, body: { reason: 'While we ask' } })
    expect(await outcomeOf(api.anonymous(projects.getProject, { params: { slug } }))).toBe('resource_not_found')
    expect((await author.call(projects.getProject, { params: { slug } })).takedown?.reason).toBe('While we ask')
    await moderator.call(moderation.takeDownProject, { params: { slug }, body: { reason: null } })
    expect((await api.anonymous(projects.getProject, { params: { slug } })).verified_at).not.toBeNull()
  })

  test('list all projects, also those that nobody else sees', async () => {
    const { slug } = await makeProject(author, 'Bellows of mine', { author_info: { author_name: 'Smithy' } })
    const list = async (query: object) => (await moderator.call(moderation.listModeratedProjects, { query })).data
    const [made, ...others] = await list({ q: 'BELLOWS' })
    expect(others).toEqual([])
    expect(made).toMatchObject({ slug, status: 'unreleased', waiting: 0, latest_release: null, downloads: 0 })
    expect(made?.owner).toEqual({ id: author.user.id, username: author.user.username })
    const release = await sendToGate(api, author, { slug })
    expect(await list({ q: 'smithy', status: 'unreleased' })).toMatchObject([{ slug, waiting: 1 }])
    await moderator.call(moderation.decideRelease, { params: { releaseId: release.id }, body: { decision: 'publish' } })
    expect(await list({ q: slug, status: 'public' })).toMatchObject([{ latest_release: { version: '1.0.0' } }])
    await moderator.call(moderation.takeDownProject, { params: { slug }, body: { reason: 'While we ask' } })
    expect(await list({ q: slug, status: 'public' })).toEqual([])
    expect(await list({ q: slug, status: 'taken_down' })).toMatchObject([{ slug, waiting: 0 }])
    const [newest] = await list({ limit: 1 })
    expect((await list({ limit: 1, after: newest?.id }))[0]?.id).not.toBe(newest?.id)
    expect(await outcomeOf(author.call(moderation.listModeratedProjects, {}))).toBe('insufficient_capabilities')
  })

  test('quarantine a file wherever it is', async () => {
    const { slug } = await makeProject(author, 'Turned bad')
    const file = makeJar('1.0.0', { 'turned.txt': 'bad' })
    const release = await sendToGate(api, author, { slug, file })
    await moderator.call(moderation.decideRelease, { params: { releaseId: release.id }, body: { decision: 'publish' } })
    const told = await moderator.call(moderation.quarantineArtifact, {
      body: { sha256: sha256(file), reason: 'Steals sessions' },
    })
    expect(told.releases).toEqual([release.id])
    const shown = await api.anonymous(releases.getRelease, { params: { slug, releaseId: release.id } })
    expect(shown).toMatchObject({ state: 'withdrawn', reason: 'Steals sessions' })
    expect((await fetch(`${api.origin}${shown.artifacts[0]?.url}`)).status).toBe(404)
    const again = await sendToGate(api, author, { slug, file, version: '1.0.1' })
    expect(again).toMatchObject({ state: 'refused', findings: [{ rule: 'quarantined' }] })
  })
})

test.runIf(isLong)(
  'only those review a project on whose server it has run for an hour, once, and it answers once',
  async () => {
    const { slug, id } = await makeProject(author, 'Reviewed one')
    const release = await sendToGate(api, author, { slug })
    await moderator.call(moderation.decideRelease, { params: { releaseId: release.id }, body: { decision: 'publish' } })
    const review = (caller: Caller) =>
      caller.call(reviews.createProjectReview, { params: { slug }, body: { rate: 'recommend', comment: 'Good' } })
    expect(await outcomeOf(review(other))).toBe('project_not_used')
    expect(await outcomeOf(review(author as Caller))).toBe('access_denied')
    const server = await other.call(createServer, { body: order(await topUp(api.context, other, 10_000), '1.21.4') })
    const { db } = api.context
    await db
      .insertInto('server_packages')
      .values({
        server_id: server.id,
        name: slug,
        manifest_hash: 'a',
        version: release.version,
        kind: 'plugin',
        source: 'wakestone',
        project_id: id,
        release_id: release.id,
        hashes: [],
      })
      .execute()
    /** It has been up for so long since it was counted last. */
    const run = async (minutes: number) => {
      const since = new Date(Date.now() - minutes * 60_000)
      await db
        .updateTable('servers')
        .set({ phase: 'running', phase_since: since })
        .where('id', '=', server.id)
        .execute()
      await db
        .updateTable('server_packages')
        .set({ counted_at: since, since })
        .where('server_id', '=', server.id)
        .execute()
      await countUses(db)
    }
    for (let count = 0; count < 4; count += 1) await run(14)
    expect(await outcomeOf(review(other))).toBe('project_not_used')
    await run(5)
    const written = await review(other)
    expect(written).toMatchObject({ version: '1.0.0', username: other.user.username, rate: 'recommend' })
    expect(await outcomeOf(review(other))).toBe('resource_already_exists')
    const params = { slug, reviewId: written.id }
    expect(
      (await author.call(reviews.answerProjectReview, { params, body: { comment: 'Thanks' } })).answer?.comment,
    ).toBe('Thanks')
    expect(await outcomeOf(author.call(reviews.answerProjectReview, { params, body: { comment: 'Again' } }))).toBe(
      'resource_already_exists',
    )
    expect(await outcomeOf(author.call(reviews.deleteProjectReview, { params }))).toBe('resource_not_found')
    expect((await api.anonymous(projects.getProject, { params: { slug } })).reviews).toEqual({
      recommend: 1,
      not_recommend: 0,
    })
    const installs = await author.call(reviews.getProjectMetrics, {
      params: { slug },
      query: { metricType: 'installs', label: 'engine' },
    })
    expect(installs).toEqual([{ label: 'flying-squid', value: 1 }])
    await other.call(reviews.deleteProjectReview, { params })
    expect(await api.anonymous(reviews.listProjectReviews, { params: { slug } })).toMatchObject({
      has_more: false,
      reviews: [],
    })
  },
)

describe('beside the calls of the specification', () => {
  const publish = async (slug: string, version: string, more: object = {}) => {
    const release = await sendToGate(api, author, { slug, version, file: makeJar(version), more })
    if (release.state === 'waiting')
      await moderator.call(moderation.decideRelease, {
        params: { releaseId: release.id },
        body: { decision: 'publish' },
      })
    return release.id
  }

  test('a text is rendered as pages will show it', async () => {
    const { html } = await other.call(projects.previewText, {
      body: { text: '**warm** <script>alert(1)</script> [bad](javascript:alert(1))' },
    })
    expect(html).toContain('<strong>warm</strong>')
    expect(html).not.toMatch(/<script|javascript:/)
    expect(await outcomeOf(api.anonymous(projects.previewText, { body: { text: 'x' } }))).toBe('unauthorized')
    expect(await outcomeOf(other.call(projects.previewText, { body: { text: 'x'.repeat(65_537) } }))).toBe(
      'invalid_request',
    )
  })

  test.runIf(isLong)(
    'featured ones come in the order that is asked for, those that nobody sees are left out',
    async () => {
      const one = await makeProject(author, 'Featured first')
      const two = await makeProject(author, 'Featured second')
      const hidden = await makeProject(author, 'Featured hidden', { visibility: 'unlisted' })
      for (const { slug } of [one, two, hidden]) await publish(slug, '1.0.0')
      const draft = await makeProject(author, 'Featured draft')
      const slugs = [two, draft, hidden, one].map(({ slug }) => slug).join(',')
      const shown = await api.anonymous(projects.featuredProjects, { query: { slugs: `${slugs},nothing` } })
      expect(shown.map(({ slug }) => slug)).toEqual([two.slug, one.slug])
    },
  )

  test.runIf(isLong)('what a project needs and what needs it is told of both', async () => {
    const base = await makeProject(author, 'Needed base')
    const on = await makeProject(author, 'Built on it')
    await publish(base.slug, '1.0.0')
    await publish(on.slug, '2.0.0', {
      manifest: {
        name: on.slug,
        packageVersion: '2.0.0',
        dependencies: [
          { selector: { name: base.slug, expr: '^1' }, kind: 'required' },
          { selector: 'of-nobody', kind: 'optional' },
        ],
      },
    })
    const needing = await api.anonymous(projects.projectDependencies, { params: { slug: on.slug }, query: {} })
    expect(needing).toMatchObject({
      dependencies: [
        { name: base.slug, expr: '^1', kind: 'required', project: { name: 'Needed base' } },
        { name: 'of-nobody', expr: null, kind: 'optional', project: null },
      ],
      dependants: [],
      dependants_count: 0,
    })
    const needed = await api.anonymous(projects.projectDependencies, { params: { slug: base.slug }, query: {} })
    expect(needed).toMatchObject({ dependencies: [], dependants: [{ slug: on.slug }], dependants_count: 1 })
  })

  test.runIf(isLong)('releases of what somebody follows, newest first', async () => {
    const { slug } = await makeProject(author, 'Followed for its releases')
    const first = await publish(slug, '1.0.0')
    const reader = await api.signUp()
    expect(await reader.call(projects.followedReleases, { query: {} })).toEqual({ has_more: false, releases: [] })
    await reader.call(projects.followProject, { params: { slug } })
    const second = await publish(slug, '1.1.0')
    const page = await reader.call(projects.followedReleases, { query: { limit: 1 } })
    expect(page).toMatchObject({ has_more: true, releases: [{ id: second, version: '1.1.0', project: { slug } }] })
    const rest = await reader.call(projects.followedReleases, { query: { after: second } })
    expect(rest).toMatchObject({ has_more: false, releases: [{ id: first }] })
  })

  test.runIf(isLong)('a search tells how many another choice would find', async () => {
    await publish((await makeProject(author, 'Facet alpha', { labels: ['facets'] })).slug, '1.0.0')
    await publish(
      (await makeProject(author, 'Facet beta', { labels: ['facets'], project_type: 'config' })).slug,
      '1.0.0',
    )
    const { projects: shown, facets } = await api.anonymous(projects.searchProjects, {
      query: { labels: 'facets,plugin', facets: '1' },
    })
    expect(shown.map(({ name }) => name)).toEqual(['Facet alpha'])
    const count = (of: readonly { value: string; count: number }[] | undefined, value: string) =>
      of?.find((one) => one.value === value)?.count
    expect([count(facets?.types, 'plugin'), count(facets?.types, 'config'), count(facets?.types, 'map')]).toEqual([
      1, 1, 0,
    ])
    expect([count(facets?.loaders, 'paper'), count(facets?.loaders, 'fabric')]).toEqual([1, 0])
    expect(facets?.is_at_least).toBe(false)
  })

  test('somebody is added by the name of their account', async () => {
    const { slug } = await makeProject(author, 'Joined one')
    const members = await author.call(projects.addProjectMember, {
      params: { slug },
      body: { username: other.user.username.toUpperCase(), role: 'editor' },
    })
    expect(members.find(({ user_id }) => user_id === other.user.id)?.role).toBe('editor')
    const missing = author.call(projects.addProjectMember, {
      params: { slug },
      body: { username: 'nobody_at_all', role: 'viewer' },
    })
    expect(await outcomeOf(missing)).toBe('user_not_found')
  })
})
