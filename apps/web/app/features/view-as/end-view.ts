import { endViewAs } from '@wakestone/contract/admin/admin-routes'
import { api } from '#app/api/client.ts'

/** Goes back to the administrator's own session, and loads a page anew: nothing of the view stays in memory. */
export async function endView(back: string): Promise<void> {
  await api(endViewAs, {})
  location.assign(back)
}
