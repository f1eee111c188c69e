import { lazy, Suspense, useSyncExternalStore } from 'react'
import { routeAlertState } from './route-alert.ts'

const RouteAlertModal = lazy(() => import('./route-alert-modal.tsx'))

/** Where the question appears. Rendered once, in the root. */
export function RouteAlertHost() {
  const { texts, asked } = useSyncExternalStore(
    routeAlertState.subscribe,
    routeAlertState.get,
    routeAlertState.getInitial,
  )
  return asked === null || texts === null ? null : (
    <Suspense>
      <RouteAlertModal texts={texts} />
    </Suspense>
  )
}
