import { useRouteLoaderData } from 'react-router'
import type { User } from '@wakestone/contract/accounts/user'
import type { loader } from '#app/root.tsx'

/** Who is signed in; null for nobody. */
export function useUser(): User | null {
  return useRouteLoaderData<typeof loader>('root')?.user ?? null
}

/** Who is signed in, on screens that nobody else reaches. */
export function useSignedInUser(): User {
  const user = useUser()
  if (user === null) throw new Error('This screen needs a signed-in user')
  return user
}
