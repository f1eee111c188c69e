import type { ApiClient } from '@wakestone/contract/client'
import { listUserCraftums } from '@wakestone/contract/accounts/users-routes'
import {
  getCraftumDomain,
  getCraftumParameters,
  listCraftumImages,
  listCraftumVersions,
} from '@wakestone/contract/websites/craftums-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const websitesQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listUserCraftums, { params: { id: userId } }, { client })

export const websiteQuery = (id: string, client: ApiClient = api) =>
  queryOf(getCraftumParameters, { params: { id } }, { client })

export const versionsQuery = (id: string, client: ApiClient = api) =>
  queryOf(listCraftumVersions, { params: { id } }, { client })

export const imagesQuery = (id: string, client: ApiClient = api) =>
  queryOf(listCraftumImages, { params: { id } }, { client })

export const domainQuery = (id: string, client: ApiClient = api) =>
  queryOf(getCraftumDomain, { params: { id } }, { client })
