import type { Server, ServerStatus } from '@wakestone/contract/servers/server'
import type { PanelState } from '@wakestone/contract/states'
import { useOutletContext } from 'react-router'
import type { ServerStream } from '#app/features/console/server-stream.ts'

/** What the screens of one server share. */
export type ServerPage = {
  /** As it stands in the address: links within the server keep it. */
  identity: string
  server: Server
  status: ServerStatus
  state: PanelState
  canPower: boolean
  /** Settings, engine, schedules. */
  canManage: boolean
  canUseConsole: boolean
  /** Null until the browser has opened it. */
  stream: ServerStream | null
}

export function useServerPage(): ServerPage {
  return useOutletContext<ServerPage>()
}
