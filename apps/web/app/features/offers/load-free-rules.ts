import { getFreeAvailability } from '@wakestone/contract/servers/free-play-routes'
import { api } from '#app/api/client.ts'

/** Seconds that a free server may be up in a day, and at a stretch. */
export const loadFreeRules = async (): Promise<{ day: number; session: number }> =>
  (await api(getFreeAvailability, {})).rules
