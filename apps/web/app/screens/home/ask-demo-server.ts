import { type DemoServer, getDemoServer } from '@wakestone/contract/servers/demo-routes'
import { api } from '#app/api/client.ts'

/** `null`: none that could be joined, or no answer. */
export const askDemoServer = (): Promise<DemoServer | null> => api(getDemoServer, {}).catch(() => null)
