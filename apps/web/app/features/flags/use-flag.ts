import { useRouteLoaderData } from 'react-router'
import type { FlagKey, FlagValues } from '@wakestone/contract/site/flags'
import type { loader } from '#app/root.tsx'

/** Value of a feature flag for this visitor, decided on the server before the page was rendered. */
export function useFlag<Key extends FlagKey>(key: Key): FlagValues[Key] {
  const data = useRouteLoaderData<typeof loader>('root')
  if (data === undefined) throw new Error('Flags are known below the root only')
  return data.flags[key] as FlagValues[Key]
}
