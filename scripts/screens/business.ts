/** What a customer runs beside the game, and whom they ask: a shop, a website, an address that is told of events, a ticket. */
import { changeCluster, createAgentToken, createCluster } from '@wakestone/contract/admin/clusters-routes'
import { answerTicket, createTicket, noteOnTicket } from '@wakestone/contract/accounts/support-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { createEventWebhook } from '@wakestone/contract/ground/webhooks-routes'
import { createProject } from '@wakestone/contract/marketplace/projects-routes'
import {
  changeShop,
  changeShopCategories,
  createShopCoupon,
  createShopGoal,
  createShopItem,
} from '@wakestone/contract/sales/shop-routes'
import { createCraftum, getCraftumParameters, publishCraftum } from '@wakestone/contract/websites/craftums-routes'
import { closeContext } from '../../apps/server/src/context.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { grantCapabilities } from '../../apps/server/src/features/accounts/users/repo.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import { startTestAgent } from '../../tests/support/agents.ts'
import { openContext, type Product } from './people.ts'

export type BusinessScene = {
  /** Something on sale in the shop of the server that is played on. */
  itemId: string
  websiteId: string
  ticketId: string
  /** A package of the customer's own. */
  projectSlug: string
  leave: () => Promise<void>
}

type Customer = { call: ApiClient; userId: string; walletId: string; serverId: string }

export async function setBusinessScene(product: Product, customer: Customer): Promise<BusinessScene> {
  const context = await openContext(product)
  try {
    await inTransaction(context.db, (trx) =>
      grantCapabilities(trx, customer.userId, { 'user.craftum': true, 'marketplace.project-create': true }),
    )
  } finally {
    await closeContext(context)
  }
  const admin = createCookieClient(product.origin).call
  await admin(loginLocal, { body: { login: 'admin', password: product.secrets.adminPassword } })
  await customer.call(createEventWebhook, {
    params: { id: customer.userId },
    body: { url: 'https://hooks.example.com/wakestone', actions: [] },
  })
  const agent = await addMachine(admin)
  return {
    itemId: await openShop(customer),
    websiteId: await publishWebsite(customer),
    ticketId: await ask(customer, admin),
    projectSlug: await makePackage(customer),
    leave: () => agent.close(),
  }
}

/** @returns what the first page of an item is shown of */
async function openShop({ call, serverId }: Customer): Promise<string> {
  const params = { id: serverId }
  const seller = { name: 'Zofia Sowa', address: 'Lipowa 4, 30-001 Kraków', email: 'zosia@example.com', tax_id: '' }
  await call(changeShop, {
    params,
    body: {
      open: true,
      title: 'Kram pod latarnią',
      intro: 'Wszystko, co tu kupisz, to ozdoby. Przewagi w grze nie sprzedajemy.',
      currency: 'PLN',
      seller,
      rules_confirmed: true,
    },
  })
  const { categories } = await call(changeShopCategories, {
    params,
    body: { categories: [{ name: 'Rangi' }, { name: 'Ozdoby' }] },
  })
  const [ranks, looks] = categories.map(({ id }) => id)
  const add = (name: string, more: object) =>
    call(createShopItem, {
      params,
      body: {
        name,
        price: 0,
        category_id: ranks ?? null,
        commands: [{ stage: 'purchase', command: 'say dzięki, {player}!', needs_player: false }],
        ...more,
      },
    })
  await add('Latarnik', { price: 1500, days: 30, description: 'Kolorowy nick i latarnia przy wejściu, przez 30 dni.' })
  await add('Budowniczy', { price: 2900, description: 'Na zawsze: własna działka przy rynku.' })
  await add('Fajerwerki', { price: 400, category_id: looks ?? null, description: 'Dwadzieścia sztuk na każdą okazję.' })
  await add('Ciasto na powitanie', { per_player: 1, category_id: looks ?? null })
  await call(createShopCoupon, { params, body: { code: 'ZIMA10', percent: 10, uses: 50 } })
  const { items } = await call(createShopGoal, { params, body: { title: 'Serwer na cały rok', target: 40_000 } })
  return items.find(({ name }) => name === 'Latarnik')!.id
}

async function publishWebsite({ call, walletId }: Customer): Promise<string> {
  const { id } = await call(createCraftum, {
    body: {
      name: 'Przystań Latarnia',
      subdomain: 'przystan-latarnia',
      language: 'pl',
      billing_period: '720h',
      currency: 'PLN',
      wallet_id: walletId,
    },
  })
  const { revision } = await call(getCraftumParameters, { params: { id } })
  await call(publishCraftum, { params: { id }, body: { revision } })
  return id
}

async function ask({ call, serverId }: Customer, admin: ApiClient): Promise<string> {
  const { id } = await call(createTicket, {
    body: {
      topic: 'server_problem',
      subject: 'Brama przy rynku nie chce się otworzyć',
      message: 'Od wczoraj dźwignia nic nie robi, a w konsoli nie widzę żadnego błędu. Co mogę sprawdzić?',
      language: 'pl',
      server_id: serverId,
    },
  })
  // Only what is thrown away as spam has none.
  if (id === null) throw new Error('the ticket was thrown away')
  const params = { ticketId: id }
  await admin(noteOnTicket, { params, body: { message: 'Widziane dziś drugi raz.' } })
  await admin(answerTicket, {
    params,
    body: { message: 'Dzień dobry! Czy brama stoi w wczytanym kawałku świata? Proszę podać jej współrzędne.' },
  })
  return id
}

async function makePackage({ call }: Customer): Promise<string> {
  const { slug } = await call(createProject, {
    body: {
      name: 'Ciepłe powitanie',
      project_type: 'plugin',
      descriptions: [
        {
          language: 'en',
          short_description: 'Greets everybody who joins',
          description: '# Warm welcome\n\nSome **warm** words for everybody who joins.',
        },
        {
          language: 'pl',
          short_description: 'Wita każdego, kto wejdzie',
          description: '# Ciepłe powitanie\n\nKilka **ciepłych** słów dla każdego, kto wejdzie na serwer.',
        },
      ],
    },
  })
  return slug
}

/** A cluster of further machines with one that has joined, and one of Kubernetes that nobody has set up yet. */
async function addMachine(admin: ApiClient) {
  const settings = { country_code: 'PL', visible_permission: null, free_places: null, prices_of: 'local' } as const
  const add = (id: string, name: string, driver: 'agent' | 'kubernetes') =>
    admin(createCluster, { body: { ...settings, id, name, zone_name: `${id}.localhost`, driver } })
  await add('gdansk', 'Gdańsk', 'agent')
  await admin(changeCluster, { params: { clusterId: 'gdansk' }, body: { disabled: false } })
  await add('wroclaw', 'Wrocław', 'kubernetes')
  const { token } = await admin(createAgentToken, { params: { clusterId: 'gdansk' } })
  return startTestAgent(token, 'gdansk-1')
}
