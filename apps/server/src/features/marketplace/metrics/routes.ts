import { getProjectMetrics } from '@wakestone/contract/marketplace/reviews-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { selectMetrics } from './service.ts'

const days = 90

export function registerProjectMetricRoutes(api: Api): void {
  implement(api, getProjectMetrics, ({ params, query }) =>
    selectMetrics(api.context.db, { key: params.slug, metric: query.metricType, label: query.label, days }),
  )
}
