import { useUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'

/** Where the order form is for this visitor: behind registering for those without an account. */
export function usePurchasePath(): (query: string) => string {
  const path = usePath()
  const user = useUser()
  return (query) => {
    const create = path(`/create?${query}`)
    return user === null ? path(`/register?from=${encodeURIComponent(create)}`) : create
  }
}
