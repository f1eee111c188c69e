/**
 * What a page that is kept for everybody is rendered from. A visit is reduced to that first, and the page sees nothing
 * else: neither the visitor's request nor their cookies, and of the API only routes whose answers follow from it.
 */
import type { FastifyRequest } from 'fastify'
import { type ApiClient, createApiClient } from '@wakestone/contract/client'
import { countryCookie, currencyCookie } from '@wakestone/contract/countries'
import type { FlagValues } from '@wakestone/contract/site/flags'
import { languagesOfHost } from '@wakestone/contract/language'
import { featuredProjects } from '@wakestone/contract/marketplace/projects-routes'
import { listProducts } from '@wakestone/contract/sales/billings-routes'
import { getDocument, getWordPage } from '@wakestone/contract/site/documents-routes'
import { getFlagValues } from '@wakestone/contract/site/flags-routes'
import { locationInfo } from '@wakestone/contract/accounts/users-routes'
import type { Language } from '@wakestone/contract/values'
import { mainHosts } from '@wakestone/kit/settings'
import { contentStamp } from '#src/features/site/documents/service.ts'
import { currencyFor, locate } from '#src/features/ground/location/service.ts'
import { accessCookie, readVisitorKey, refreshCookie, viewAsCookie } from './cookies.ts'
import type { Api } from './implement.ts'
import type { WebBuild } from './web-build.ts'
import { callWithin } from './web-visit.ts'

export type SharedVisit = {
  /** Path and query. */
  address: string
  language: Language
  languages: readonly Language[]
  /** A `Cookie` header with the choices that the page shows. */
  cookie: string
  flags: FlagValues
  /** Stands for a country that the address tells: the page is that of everybody there. */
  ip: string
  /** All of this but `ip`, which the country in it stands for. */
  key: string
}

const longestAddress = 1024

/** @returns undefined for whoever has a session, even one that has ended, and for pages that are made for one visitor. */
export async function findSharedVisit(
  api: Api,
  request: FastifyRequest,
  build: WebBuild,
): Promise<SharedVisit | undefined> {
  const { url: address, cookies, ip } = request
  if (request.method !== 'GET' || !address.startsWith('/') || address.length > longestAddress) return undefined
  if ([accessCookie, refreshCookie, viewAsCookie].some((name) => cookies[name] !== undefined)) return undefined
  const page = build.entry.module.findSharedPage(address, request.headers.cookie ?? null)
  if (page === undefined) return undefined
  const { settings } = api.context
  const { language } = page
  const languages = languagesOfHost(request.hostname, mainHosts(settings))
  if (!languages.includes(language)) return undefined
  const visitor = readVisitorKey(request)
  // Their first answer gives them a key.
  if (visitor === undefined && (await api.flags.dealsByShare())) return undefined
  const { country, source } = locate({ user: undefined, ip, request }, settings)
  const currency = currencyFor({ request }, country)
  const flags = await api.flags.evaluate({ key: visitor, userId: undefined, country, language })
  const chosen = source === 'choice' ? [`${countryCookie}=${country}`] : []
  const cookie = [...page.cookies, ...chosen, `${currencyCookie}=${currency}`].join('; ')
  const endsAt = flags['promotion-banner']?.ends_at
  const isOver = endsAt !== undefined && Date.parse(endsAt) <= Date.now()
  const key = JSON.stringify([address, languages, cookie, country, source, flags, isOver])
  return { address, language, languages, cookie, flags, ip, key }
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const documentRoutes = [getDocument, getWordPage].map(nameOf)
const sharedRoutes = [locationInfo, listProducts, featuredProjects].map(nameOf).concat(documentRoutes)

/** The API as a shared page sees it. */
export function openSharedVisit(api: Api, visit: SharedVisit) {
  const { transport, cookiesToSet } = callWithin(api, { cookie: visit.cookie, ip: visit.ip, userAgent: '' })
  const call = createApiClient(transport)
  const stamps = new Map<Parameters<typeof contentStamp>[1], string>()
  let isWhole = true

  const client: ApiClient = async (route, input) => {
    const name = nameOf(route)
    if (name === nameOf(getFlagValues)) return visit.flags as never
    try {
      // It might answer one visitor only, or do something.
      if (!sharedRoutes.includes(name)) throw new Error(`a page that is kept may not ask for ${name}`)
      if (documentRoutes.includes(name)) {
        const { slug } = (input as { params: { slug: Parameters<typeof contentStamp>[1] } }).params
        stamps.set(slug, await contentStamp(api.context, slug))
      }
      return await call(route, input)
    } catch (error) {
      isWhole = false
      throw error
    }
  }

  return {
    client,
    /** Whether everything was told that was asked for, and nothing but for everybody. */
    isWhole: () => isWhole && cookiesToSet.length === 0,
    /** What tells whether the documents that were read are still the same; undefined if none were. */
    documentCheck(): (() => Promise<boolean>) | undefined {
      if (stamps.size === 0) return undefined
      return async () => {
        const same = [...stamps].map(async ([slug, stamp]) => (await contentStamp(api.context, slug)) === stamp)
        return (await Promise.all(same)).every(Boolean)
      }
    },
  }
}
