/** Screens beside the game: the marketplace, shops, websites, help, what other programs use, machines, and the documentation. */
import type { Screen } from './list.ts'
import type { Scene } from './scene.ts'

/** A bundle that the demo brings along. */
const sample = 'sample-quiet-nights'
const docPages = [
  '',
  '/guide/sleep',
  '/guide/backups',
  '/operators/operating',
  '/operators/importing',
  '/developers/webhooks',
]

export function listScreensBeside(scene: Scene, language: string): Screen[] {
  const at = (path: string) => `/${language}${path}`
  const { business, money, playedId } = scene
  const of =
    (who: Screen['who']) =>
    (name: string, path: string, more: Partial<Screen> = {}): Screen => ({ name, path, who, ...more })
  const [visitor, customer, partner, admin] = [of('visitor'), of('customer'), of('partner'), of('admin')]
  return [
    visitor('market', at('/m')),
    visitor('market-none', at('/m?name=nothing-like-this')),
    visitor('project', at(`/m/${sample}`)),
    visitor('project-releases', at(`/m/${sample}?tab=releases`)),
    visitor('project-reviews', at(`/m/${sample}?tab=reviews`)),
    visitor('author', at(`/m/${scene.customerId}/projects`)),
    customer('project-own', at(`/m/${business.projectSlug}`)),
    customer('project-new', at('/m/projects/create')),
    customer('project-edit', at(`/m/projects/edit/${business.projectSlug}`)),
    customer('release-new', at(`/m/${business.projectSlug}/releases/new`)),
    customer('follows', at('/m/follows')),
    customer('server-project', `/s/misty-allay/m/${sample}`),
    visitor('shop', at('/shop/misty-allay')),
    visitor('shop-item', at(`/shop/misty-allay/${business.itemId}`)),
    customer('server-shop', '/s/misty-allay/shop'),
    customer('server-shop-deals', '/s/misty-allay/shop?tab=deals'),
    customer('server-shop-settings', '/s/misty-allay/shop?tab=settings'),
    customer('players', '/s/misty-allay/players'),
    customer('worlds', '/s/misty-allay/app/worlds'),
    partner('mysql', `/s/${money.upgradedId}/mysql`),
    customer('event', '/s/misty-allay/events', {
      prepare: async (page) => {
        await page.locator('main a[href*="/events/"]').first().click()
        await page.waitForURL(/\/events\/[0-9a-f-]{36}/)
        await page.waitForTimeout(800)
      },
    }),
    customer('websites', at('/c')),
    customer('website-new', at('/offers/craftum/create')),
    customer('website', at(`/c/${business.websiteId}`)),
    customer('website-payments', at(`/c/${business.websiteId}/payments`)),
    customer('website-withdraw', at(`/c/${business.websiteId}/withdraw`)),
    customer('ticket', at(`/account/support/${business.ticketId}`)),
    admin('desk-ticket', at(`/admin/tickets/${business.ticketId}`)),
    customer('webhooks', at('/account/settings/webhooks')),
    visitor('map-public', at(`/mapview/${playedId}?x=32&z=32&zoom=2`)),
    admin('admin-servers', at('/admin/servers')),
    admin('admin-server', at(`/admin/servers/${playedId}`)),
    admin('clusters', at('/admin/clusters')),
    admin('cluster', at('/admin/clusters?cluster=local')),
    admin('cluster-agents', at('/admin/clusters?cluster=gdansk')),
    admin('cluster-kubernetes', at('/admin/clusters?cluster=wroclaw')),
    admin('cluster-new', at('/admin/clusters?cluster=new')),
    admin('health', at('/admin/health')),
    ...docPages.map((path) => visitor(`docs${path.replaceAll('/', '-')}`, at(`/docs${path}`))),
    visitor('docs-search', at('/docs'), {
      prepare: async (page) => {
        await page.locator('main [role=combobox]').first().fill('backup')
        await page.waitForTimeout(1500)
      },
    }),
  ]
}
