import { useRouteLoaderData } from 'react-router'
import type { loader } from '#app/root.tsx'

/** Country, VAT rate and currency of the visitor; null when they could not be told. */
export function useVisitor() {
  return useRouteLoaderData<typeof loader>('root')?.location ?? null
}
