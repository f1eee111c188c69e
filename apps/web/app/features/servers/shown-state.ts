import type { Server } from '@wakestone/contract/servers/server'
import { type PanelState, panelState } from '@wakestone/contract/states'
import type { ShownState } from '#app/ui/state-badge.tsx'

/** The word for a server: one whose contract was withdrawn from has not just run out. `state` may be a newer one. */
export const shownState = (
  { status, withdrawn_at }: Pick<Server, 'status' | 'withdrawn_at'>,
  state: PanelState = panelState(status),
): ShownState => (state === 'expired' && withdrawn_at !== null ? 'withdrawn' : state)
