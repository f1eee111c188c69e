/** Websites from purchase to deletion, through the front door: of the panel, and of the website's own host. */
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUserCraftums, listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { listAdminServices } from '@wakestone/contract/admin/admin-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { getService, renewService } from '@wakestone/contract/sales/billings-routes'
import type { Craftum } from '@wakestone/contract/sales/craftum'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { namedIn, type WebsiteContent, websiteLimits } from '@wakestone/contract/websites/content'
import { findUnfinished } from '@wakestone/contract/websites/unfinished'
import * as routes from '@wakestone/contract/websites/craftums-routes'
import { type WebsiteImage, websiteImageSchema } from '@wakestone/contract/websites/website'
import { confirmWithdrawal, declareWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { z } from 'zod'
import { handleServiceClock } from '../../apps/server/src/features/sales/renewals/service-clock.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf } from '../support/outcome.ts'
import { order, topUp } from '../support/servers.ts'
import { visitWebsite } from '../support/websites.ts'

const day = 86_400_000
let api: TestApi
let owner: Caller
let walletId: string
beforeAll(async () => {
  api = await startTestApi()
  owner = await signUpBuilder()
  walletId = await topUp(api.context, owner, 100_000)
})
afterAll(() => api.close())

const signUpBuilder = (): Promise<Caller> => api.signUp({ capabilities: { 'user.craftum': true } })

let made = 0
const orderOf = (more: Partial<(typeof routes.createCraftum)['body']['_zod']['input']> = {}) => ({
  name: 'Lantern Meadow',
  subdomain: `lantern-${++made}`,
  wallet_id: walletId,
  currency: 'PLN' as const,
  billing_period: '720h' as const,
  ...more,
})
const buy = (more?: Parameters<typeof orderOf>[0], key?: string) =>
  owner.call(routes.createCraftum, { body: orderOf(more), ...(key !== undefined && { idempotencyKey: key }) })
const parametersOf = ({ id }: Craftum) => owner.call(routes.getCraftumParameters, { params: { id } })
async function save(website: Craftum, change: (content: WebsiteContent) => unknown) {
  const { content, revision } = await parametersOf(website)
  const body = { content: change(content) as WebsiteContent, revision }
  await owner.call(routes.changeCraftum, { params: { id: website.id }, body })
}
async function publish(website: Craftum) {
  const { revision } = await parametersOf(website)
  return owner.call(routes.publishCraftum, { params: { id: website.id }, body: { revision } })
}
const runClock = (now: Date) => handleServiceClock(api.context, now)

const visit = (host: string, path?: string, headers?: Record<string, string>) =>
  visitWebsite(api.origin, host, path, headers)
const hostOf = ({ subdomain }: Craftum) => `${subdomain}.sites.localhost`

describe('a purchase', () => {
  test('charges the price of the product with VAT, and begins a service of its own', async () => {
    const before = await owner.call(getWallet, { params: { id: walletId } })
    const website = await buy()
    const after = await owner.call(getWallet, { params: { id: walletId } })
    expect(before.balance.amount - after.balance.amount).toBe(999 + 230)
    const service = await owner.call(getService, { params: { id: website.service_id } })
    expect(service).toMatchObject({ type: 'CRAFTUM', add_ons: [], domains: [], product: { id: 'BASIC_CRAFTUM' } })
    const [paid] = (await owner.call(listWalletTransactions, { params: { id: walletId } })).data
    expect(paid).toMatchObject({ action: 'ADD_SERVICE', positions: [{ name: 'BASIC_CRAFTUM' }] })
    expect(website).toMatchObject({ online: false, published_at: null, name: 'Lantern Meadow' })
    expect(await owner.call(listUserCraftums, { params: { id: owner.user.id } })).toContainEqual(website)
    const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id } })
    expect(notifications.find(({ type }) => type === 'WEBSITE_CREATED')?.fields).toMatchObject({
      amount: { amount: 999 + 230 },
      tax: { amount: 230 },
      expires: service.expires,
      withdraw_until: expect.any(String),
      transaction: paid?.id,
    })
    const boss = await api.signUp({ admin: true })
    const { data } = await boss.call(listAdminServices, { params: { id: owner.user.id } })
    const { name, address, online } = website
    expect(data.find(({ id }) => id === website.service_id)).toMatchObject({ website: { name, address, online } })
  })

  test('is made once under one key, and refused under it for something else', async () => {
    const body = orderOf()
    const both = await Promise.all([
      owner.call(routes.createCraftum, { body, idempotencyKey: 'website-key-1' }),
      owner.call(routes.createCraftum, { body, idempotencyKey: 'website-key-1' }),
    ])
    expect(both[0].id).toBe(both[1].id)
    expect(await outcomeOf(buy({ name: 'Another' }, 'website-key-1'))).toBe('idempotency_key_reused')
    const server = order(walletId, '1.21.4')
    expect(await outcomeOf(owner.call(createServer, { body: server, idempotencyKey: 'website-key-1' }))).toBe(
      'idempotency_key_reused',
    )
  })

  test('is refused without the right, with a taken name, and without money, which leaves nothing behind', async () => {
    const website = await buy()
    expect(await outcomeOf(buy({ subdomain: website.subdomain }))).toBe('resource_already_exists')
    expect(await outcomeOf(buy({ subdomain: 'admin' }))).toBe('domain_reserved')
    const stranger = await api.signUp()
    expect(await outcomeOf(stranger.call(routes.createCraftum, { body: orderOf() }))).toBe('insufficient_capabilities')
    const poor = await signUpBuilder()
    const wallet = poor.user.wallets.find(({ currency }) => currency === 'PLN')
    const body = orderOf({ wallet_id: wallet?.id ?? '', subdomain: 'never-paid' })
    expect(await outcomeOf(poor.call(routes.createCraftum, { body }))).toBe('wallet_has_not_funds')
    expect(await poor.call(listUserCraftums, { params: { id: poor.user.id } })).toEqual([])
    expect(await outcomeOf(owner.call(routes.checkWebsiteName, { params: { name: 'never-paid' } }))).toBe('success')
  })
})

describe('what is saved', () => {
  test('is seen by nobody until it is published, and can be what it was', async () => {
    const website = await buy()
    const host = hostOf(website)
    expect((await visit(host)).status).toBe(503)
    await save(website, (content) => withTitle(content, 'First words'))
    expect((await visit(host)).status).toBe(503)
    expect(await publish(website)).toMatchObject({ version: 1, pages: 1 })
    expect((await visit(host)).body).toContain('First words')
    await save(website, (content) => withTitle(content, 'Second words'))
    expect((await visit(host)).body).toContain('First words')
    await publish(website)
    expect((await visit(host)).body).toContain('Second words')
    const { revision } = await parametersOf(website)
    const restored = await owner.call(routes.restoreCraftumVersion, {
      params: { id: website.id, version: 1 },
      body: { revision },
    })
    expect(JSON.stringify(restored.content)).toContain('First words')
    expect((await visit(host)).body).toContain('Second words')
    await publish(website)
    expect((await visit(host)).body).toContain('First words')
    const versions = await owner.call(routes.listCraftumVersions, { params: { id: website.id } })
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1])
    await owner.call(routes.unpublishCraftum, { params: { id: website.id } })
    expect((await visit(host)).status).toBe(503)
  })

  test('does not write over what another tab has saved', async () => {
    const website = await buy()
    const { content, revision } = await parametersOf(website)
    const send = () => owner.call(routes.changeCraftum, { params: { id: website.id }, body: { content, revision } })
    await send()
    expect(await outcomeOf(send())).toBe('website_changed_since')
    expect(await outcomeOf(owner.call(routes.publishCraftum, { params: { id: website.id }, body: { revision } }))).toBe(
      'website_changed_since',
    )
  })

  test('speaks of its owner’s servers only', async () => {
    const website = await buy()
    // Nobody has chosen a server: visitors are told nothing of it.
    await publish(website)
    expect((await visit(hostOf(website))).body).not.toContain('Play with us')
    const other = await api.signUp()
    const foreign = await other.call(createServer, {
      body: order(await topUp(api.context, other, 10_000), '1.21.4'),
    })
    expect(await outcomeOf(save(website, (content) => withServer(content, foreign.id)))).toBe('invalid_request')
    const own = await owner.call(createServer, { body: order(walletId, '1.21.4') })
    await save(website, (content) => withServer(content, own.id))
    await publish(website)
    const page = await visit(hostOf(website))
    expect(page.body).toContain(own.address)
    expect(page.body).toContain('Start Minecraft: Java Edition')
    expect(page.body).toContain('<script src="/live.js"')
    const live = await visit(hostOf(website), '/live.json')
    expect(JSON.parse(live.body)).toHaveProperty(own.id)
    const { content } = await parametersOf(await buy())
    expect(namedIn(content).servers).toEqual([own.id])
  })

  test('says which blocks nobody has filled yet', async () => {
    const { content } = await parametersOf(await buy())
    const without = withServer(content, '')
    expect(findUnfinished(without).map(({ block, why }) => `${block.type}: ${why}`)).toEqual([
      'hero: placeholder',
      'status: no_server',
    ])
  })
})

describe('on its own host', () => {
  test('there are pages in each language, a site map and an icon, and nothing of the panel', async () => {
    const website = await buy()
    const host = hostOf(website)
    await save(website, (content) => ({ ...withTitle(content, 'Hello there'), languages: ['en', 'pl'] }))
    await publish(website)
    const { port } = new URL(api.origin)
    const own = new URL(website.address)
    expect(own.hostname).toBe(host)
    expect((await visit(host, '/pl/')).body).toContain('<html lang="pl"')
    expect((await visit(host, '/sitemap.xml')).body).toContain(`<loc>http://${host}`)
    expect((await visit(host, '/robots.txt')).body).toContain('sitemap.xml')
    expect((await visit(host, '/icon.svg')).headers['content-type']).toContain('image/svg+xml')
    // Nobody has sent a picture: one is drawn, in letters that the website has itself.
    const polish = (await visit(host, '/pl/')).body
    expect(polish).toContain('<svg class="ws-scene"')
    const fonts = [...polish.matchAll(/<link rel="preload" as="font"[^>]* href="([^"]+)"/g)].map(([, href]) => href)
    expect(fonts).toHaveLength(2)
    for (const font of fonts) expect((await visit(host, font)).headers['content-type']).toBe('font/woff2')
    for (const path of [
      '/de/',
      '/nothing',
      '/api/v1/users/verify',
      '/healthz',
      '/en/login',
      '/internal/gateway/routes',
      '/fonts/constructor',
    ])
      expect((await visit(host, path, { cookie: owner.cookie() })).status, path).toBe(404)
    expect(port).not.toBe('')
  })

  test('a page is strict about what it may do, and never sets or reads a cookie', async () => {
    const website = await buy()
    await publish(website)
    const stranger = await visit(hostOf(website))
    const known = await visit(hostOf(website), '/', { cookie: owner.cookie() })
    expect(known.body).toBe(stranger.body)
    for (const { headers } of [stranger, known]) {
      expect(headers['set-cookie']).toBeUndefined()
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    // What changes by itself is shown: that page alone has the script.
    expect(String(stranger.headers['content-security-policy'])).toContain("script-src 'self'")
  })

  test('the panel is not on it, nor is a website on the host of the panel', async () => {
    const website = await buy()
    await publish(website)
    const { hostname } = new URL(api.origin)
    const page = await visit(hostname, '/', { 'x-forwarded-host': hostOf(website) })
    expect(page.body).not.toContain('ws-site')
    expect((await visit('nobody.sites.localhost')).status).toBe(404)
    expect((await visit('sites.localhost')).status).toBe(404)
    expect((await visit(`a.${hostOf(website)}`)).status).toBe(404)
    expect((await visit(`${hostOf(website)}.`)).status).toBe(200)
  })

  test('changes are refused from it, whatever cookies come along', async () => {
    const website = await buy()
    await publish(website)
    const answer = await fetch(`${api.origin}/api/v1/craftums/${website.id}`, {
      method: 'PUT',
      headers: { cookie: owner.cookie(), origin: website.address, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Taken over' }),
    })
    expect(answer.status).toBe(403)
    expect((await parametersOf(website)).craftum.name).toBe('Lantern Meadow')
  })
})

describe('its time', () => {
  test('is warned of, ends, and a renewal brings it back as it was', async () => {
    const website = await buy({ name: 'Ending Meadow' })
    await publish(website)
    const host = hostOf(website)
    const end = Date.parse(website.expires ?? '')
    await runClock(new Date(end - 2 * day))
    expect(await kindsOf(website)).toContain('WEBSITE_EXPIRES_WARNING')
    await setEnd(website, new Date(Date.now() - 1000))
    expect((await visit(host)).status).toBe(503)
    expect((await parametersOf(website)).craftum.online).toBe(false)
    await runClock(new Date())
    expect(await kindsOf(website)).toContain('WEBSITE_EXPIRED')
    expect(await outcomeOf(publish(website))).toBe('website_is_expired')
    await owner.call(renewService, {
      params: { id: website.service_id },
      body: { billing_period: '720h', wallet_id: walletId },
    })
    expect((await visit(host)).status).toBe(200)
    expect(await kindsOf(website)).toContain('WEBSITE_RENEWED')
    expect((await parametersOf(website)).craftum.online).toBe(true)
  })

  test('is renewed from the wallet by itself where its owner wants that', async () => {
    const website = await buy({ name: 'Lasting Meadow' })
    await api.context.db
      .updateTable('services')
      .set({ auto_renew: true })
      .where('id', '=', website.service_id)
      .execute()
    const end = Date.parse(website.expires ?? '')
    await runClock(new Date(end - day / 2))
    const { expires } = await owner.call(getService, { params: { id: website.service_id } })
    expect(Date.parse(expires ?? '')).toBe(end + 30 * day)
  })

  test.runIf(isLong)(
    'is over for good two weeks later: told before, emptied, and the name kept for its owner',
    async () => {
      const website = await buy({ name: 'Leaving Meadow' })
      await publish(website)
      const end = new Date(Date.now() - 12 * day)
      await setEnd(website, end)
      await runClock(new Date())
      expect(await kindsOf(website)).toContain('WEBSITE_CLEANUP_WARNING')
      const { cleanup_date } = (await parametersOf(website)).craftum
      expect(Date.parse(cleanup_date ?? '') - Date.now()).toBeGreaterThan(2.9 * day)
      await runClock(new Date(Date.now() + 4 * day))
      expect(await outcomeOf(parametersOf(website))).toBe('resource_not_found')
      expect(await kindsOf(website)).toContain('WEBSITE_CLEANED_UP')
      const left = await api.context.db
        .selectFrom('craftum_versions')
        .where('craftum_id', '=', website.id)
        .selectAll()
        .execute()
      expect(left).toEqual([])
      expect((await visit(hostOf(website))).status).toBe(404)
      const other = await signUpBuilder()
      const name = { params: { name: website.subdomain } }
      expect(await outcomeOf(other.call(routes.checkWebsiteName, name))).toBe('resource_already_exists')
      expect(await outcomeOf(owner.call(routes.checkWebsiteName, name))).toBe('success')
      const { data } = await owner.call(listUserEvents, {
        params: { id: owner.user.id },
        query: { action: 'USER_WEBSITE_DELETED' },
      })
      expect(data).toHaveLength(1)
    },
  )

  test('ends with a withdrawal, which gives the money back', async () => {
    const website = await buy({ name: 'Withdrawn Meadow' })
    await publish(website)
    const params = { id: website.service_id }
    const before = await owner.call(getWallet, { params: { id: walletId } })
    const { declaration_id } = await owner.call(declareWithdrawal, { params })
    await owner.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    const after = await owner.call(getWallet, { params: { id: walletId } })
    expect(after.balance.amount - before.balance.amount).toBe(1229)
    expect((await visit(hostOf(website))).status).toBe(503)
    expect((await parametersOf(website)).craftum).toMatchObject({ online: false, withdrawn_at: expect.any(String) })
  })
})

describe('a picture', () => {
  /** Who has withdrawn from something asks for the next to begin at once. */
  const buyNow = () => buy({ immediate: true })
  const send = async (website: Craftum, files: readonly (string | Buffer)[], by: Caller = owner) => {
    const form = new FormData()
    for (const file of files) form.append('image', new Blob([new Uint8Array(Buffer.from(file))]), '../../a.html')
    const path = `${api.origin}/api/v1/craftums/${website.id}/images`
    const answer = await fetch(path, { method: 'POST', body: form, headers: { cookie: by.cookie() } })
    const told = (await answer.json()) as { error?: string }
    return answer.ok ? z.array(websiteImageSchema).parse(told) : (told.error ?? '')
  }
  const draw = (background: string) =>
    sharp({ create: { width: 900, height: 600, channels: 3, background } })
      .withExif({ IFD3: { GPSLatitude: '52/1 13/1 0/1' } })
      .jpeg()
      .toBuffer()
  const withPicture = (content: WebsiteContent, image: string): WebsiteContent => ({
    ...content,
    pages: content.pages.map((page) => ({
      ...page,
      blocks: page.blocks.map((block) =>
        block.type === 'hero' ? { ...block, props: { ...block.props, image } } : block,
      ),
    })),
  })

  test.runIf(isLong)(
    'is drawn anew, shown on the website and in previews of its address, and gone once it is deleted',
    async () => {
      const website = await buyNow()
      const drawn = await send(website, [await draw('#f5b942'), await draw('#203040')])
      expect(drawn).toHaveLength(2)
      const [first] = drawn as WebsiteImage[]
      const { name = '', url = '' } = first ?? {}
      expect(await owner.call(routes.listCraftumImages, { params: { id: website.id } })).toHaveLength(2)
      const shown = await fetch(`${api.origin}${url}`)
      expect(shown.headers.get('content-type')).toBe('image/webp')
      expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({
        format: 'webp',
        width: 900,
      })
      await save(website, (content) => withPicture(content, name))
      await publish(website)
      const page = await visit(hostOf(website))
      expect(page.body).toContain(`<img src="/media/${name}" alt="" width="900" height="600"`)
      expect(page.body).toMatch(new RegExp(`<meta property="og:image" content="http://[^"]+/media/${name}"`))
      const picture = await visit(hostOf(website), `/media/${name}`)
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
      const params = { id: website.id, name }
      await owner.call(routes.deleteCraftumImage, { params })
      expect(await outcomeOf(owner.call(routes.deleteCraftumImage, { params }))).toBe('resource_not_found')
      expect((await fetch(`${api.origin}${url}`)).status).toBe(404)
      // Names of nothing show nothing, and keep nobody from saving.
      await save(website, (content) => withTitle(content, 'Without a picture'))
    },
  )

  test.runIf(isLong)('of another website is not shown, and only its owner adds any', async () => {
    const [one, other] = [await buyNow(), await buyNow()]
    const [image] = (await send(one, [await draw('#803020')])) as WebsiteImage[]
    await save(other, (content) => withPicture(content, image?.name ?? ''))
    await publish(other)
    expect((await visit(hostOf(other))).body).not.toContain('<img')
    expect((await visit(hostOf(other), `/media/${image?.name}`)).status).toBe(404)
    expect(await send(one, [await draw('#803021')], await signUpBuilder())).toBe('resource_not_found')
  })

  test.runIf(isLong)('is refused where it is none, or where there is no room; all that came with it too', async () => {
    const website = await buyNow()
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect(await send(website, [await draw('#112233'), script])).toBe('invalid_file')
    expect(await send(website, [])).toBe('invalid_request')
    await sql`
      insert into craftum_images (craftum_id, name, width, height, bytes, content)
      select ${website.id}, md5(i::text) || '.webp', 1, 1, 1, 'x' from generate_series(1, ${websiteLimits.images}) i
    `.execute(api.context.db)
    expect(await send(website, [await draw('#112233')])).toBe('website_is_full')
    expect(await owner.call(routes.listCraftumImages, { params: { id: website.id } })).toHaveLength(
      websiteLimits.images,
    )
  })
})

async function kindsOf(website: Craftum) {
  const { notifications } = await owner.call(listNotifications, {
    params: { id: owner.user.id },
    query: { limit: 100 },
  })
  return notifications.filter(({ resource_id }) => resource_id === website.id).map(({ type }) => type)
}

const setEnd = ({ service_id: id }: Craftum, expires: Date) =>
  api.context.db.updateTable('services').set({ expires }).where('id', '=', id).execute()

const withTitle = (content: WebsiteContent, title: string): WebsiteContent => ({
  ...content,
  pages: content.pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) =>
      block.type === 'hero'
        ? { ...block, props: { ...block.props, title: { ...block.props.title, en: title } } }
        : block,
    ),
  })),
})
const withServer = (content: WebsiteContent, server: string): WebsiteContent => ({
  ...content,
  pages: content.pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) =>
      block.type === 'status' ? { ...block, props: { ...block.props, server } } : block,
    ),
  })),
})
