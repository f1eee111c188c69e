import type { ApiClient } from '@wakestone/contract/client'
import { getFirstSteps } from '@wakestone/contract/accounts/first-steps-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const firstStepsQuery = (client: ApiClient = api) => queryOf(getFirstSteps, {}, { client })
