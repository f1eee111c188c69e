/** State machines as tables. Buttons and guards read the same ones. */
import type { ErrorCode } from './errors.ts'
import type { ServerStatus } from './servers/server.ts'

export const gameStatuses = [
  'IRL_NEW',
  'IRL_RUNNING',
  'IRL_IDLE',
  'IRL_LIGHT_SLEEP',
  'IRL_DEEP_SLEEP',
  'IRL_HIBERNATED',
  'IRL_TERMINATED',
] as const
export type GameStatus = (typeof gameStatuses)[number]

/** The panel counts every level but TERMINATED as running. */
export const isCountedRunning = (status: GameStatus) => status !== 'IRL_TERMINATED'

/** What the control plane is doing with a server at this moment. */
export const serverActivities = ['preparing', 'starting', 'waking', 'stopping', 'restarting'] as const
export type ServerActivity = (typeof serverActivities)[number]

/** The one word a person reads about a server. */
export const panelStates = [
  'preparing',
  'starting',
  'waking',
  'running',
  'idle',
  'sleeping',
  'stopping',
  'stopped',
  'crashed',
  'expired',
  'failed',
] as const
export type PanelState = (typeof panelStates)[number]

/** Sums a server's status up in one word, the same everywhere. */
export function panelState(
  status: Pick<ServerStatus, 'game_status' | 'activity' | 'crashed' | 'preparation' | 'expired'>,
): PanelState {
  if (status.expired) return 'expired'
  if (status.preparation?.error) return 'failed'
  if (status.activity === 'preparing' || status.game_status === 'IRL_NEW') return 'preparing'
  if (status.activity === 'starting' || status.activity === 'restarting') return 'starting'
  if (status.activity === 'waking') return 'waking'
  if (status.activity === 'stopping') return 'stopping'
  if (status.game_status === 'IRL_RUNNING') return 'running'
  if (status.game_status === 'IRL_IDLE') return 'idle'
  if (status.game_status === 'IRL_TERMINATED') return status.crashed ? 'crashed' : 'stopped'
  return 'sleeping'
}

/** What strangers are told of a server, on its website and its item shop: whether they can join. */
export const publicStates = {
  preparing: 'starting',
  starting: 'starting',
  waking: 'starting',
  running: 'up',
  idle: 'up',
  sleeping: 'asleep',
  stopping: 'down',
  stopped: 'down',
  crashed: 'down',
  expired: 'down',
  failed: 'down',
} as const satisfies Record<PanelState, string>
export type PublicState = (typeof publicStates)[PanelState]

export const powerActions = ['start', 'stop', 'restart', 'kill'] as const
export type PowerAction = (typeof powerActions)[number]

/** Which power actions make sense in which state. A kill may bypass whatever is under way. */
export const powerActionsByState: Record<PanelState, readonly PowerAction[]> = {
  preparing: [],
  starting: ['stop', 'kill'],
  waking: ['stop', 'kill'],
  running: ['restart', 'stop', 'kill'],
  idle: ['restart', 'stop', 'kill'],
  sleeping: ['start', 'stop'],
  stopping: ['kill'],
  stopped: ['start'],
  crashed: ['start'],
  expired: [],
  failed: ['start'],
}

/** With which code a state refuses what the table leaves out of it. */
const powerRefusals: Record<PanelState, ErrorCode> = {
  preparing: 'server_is_preparing',
  starting: 'game_process_already_started',
  waking: 'game_process_already_started',
  running: 'server_is_running',
  idle: 'server_is_running',
  sleeping: 'server_is_not_running',
  stopping: 'server_is_not_stopped',
  stopped: 'server_is_not_running',
  crashed: 'server_is_not_running',
  expired: 'server_is_expired',
  failed: 'server_is_not_running',
}

/** The code with which the API refuses an action in this state; undefined when it does not. */
export function refusePower(action: PowerAction, state: PanelState): ErrorCode | undefined {
  return powerActionsByState[state].includes(action) ? undefined : powerRefusals[state]
}

export const transactionStatuses = [
  'DRAFT',
  'NEW',
  'PROCESSING',
  'READY_TO_CAPTURE',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'ADMIN_ACTION',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]
export const transactionActions = [
  'RENEW_SERVICE',
  'UPGRADE_SERVICE',
  'DEPOSIT',
  'CRAFTUM',
  'RENEW_SERVER',
  'VOUCHER_USE',
  'ADD_SERVICE',
  'PAY_BILL', // added: what was bought and is paid now; no sale of its own
  'SETTLE_DEBT', // added: what was owed for a payment that was taken back; no sale either
  'TOP_UP_TAX', // added: a top-up was taxed when it came in, or that was taken back; moves nothing on the wallet
  'TAX_CORRECTION', // added: a sale is taxed by another rule after all
  'ITEMSHOP_SELL', // added: what a server's shop has sold, paid into its owner's wallet; their sale and none of ours
  'ITEMSHOP_FEE', // added: the operator's part of that
] as const
export type TransactionAction = (typeof transactionActions)[number]

/**
 * Allowed steps. FAILED and CANCELLED lead to COMPLETED because a payment that the provider confirms
 * after it was given up is still credited, and once. CANCELLED leads to FAILED so that what a refusal and an end
 * without payment come to does not depend on which of them was told first.
 */
export const transactionTransitions: Record<TransactionStatus, readonly TransactionStatus[]> = {
  DRAFT: ['NEW', 'CANCELLED'],
  NEW: ['PROCESSING', 'READY_TO_CAPTURE', 'COMPLETED', 'FAILED', 'CANCELLED'],
  PROCESSING: ['READY_TO_CAPTURE', 'COMPLETED', 'FAILED', 'CANCELLED'],
  READY_TO_CAPTURE: ['COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: ['COMPLETED'],
  CANCELLED: ['COMPLETED', 'FAILED'],
  ADMIN_ACTION: [],
}
/** Something is still expected to happen to these. */
export const openTransactionStatuses: readonly TransactionStatus[] = ['DRAFT', 'NEW', 'PROCESSING', 'READY_TO_CAPTURE']
export const isFinalTransaction = (status: TransactionStatus) => !openTransactionStatuses.includes(status)
