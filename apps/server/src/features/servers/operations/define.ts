/** What a kind of operation is: its phases, and how each is taken back. */
import {
  type Operation,
  type OperationKind,
  type OperationPhase,
  operationPhases,
} from '@wakestone/contract/servers/operations'
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import type { Sleep } from '#src/features/servers/servers/service.ts'

export type OperationDeps = Pick<Context, 'db' | 'boss' | 'logger' | 'fleet' | 'settings' | 'secrets'>

/** What a phase is given. It may have been run before, in part or whole, by a worker that was killed. */
export type Step<Input, Notes> = {
  operationId: string
  serverId: string
  input: Input
  /** What has been noted so far, by this phase or those before it. */
  notes: Partial<Notes>
  /** Since when this phase lasts, whoever has run it meanwhile. */
  since: Date
  /** Ends when the operation is cancelled, or this worker has to leave it to another. */
  signal: AbortSignal
  deps: OperationDeps
  /** Writes in a transaction that fails once another worker has taken the operation up. */
  write<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result>
  /** Keeps what has been done. */
  note(notes: Partial<Notes>): Promise<void>
  /** How far this phase has come, 0–1; written now and then. */
  report(share: number, item?: string | null, figures?: Operation['figures']): void
  /** @throws when `signal` ends. */
  pause(milliseconds: number): Promise<void>
}

export type Phase<Input, Notes> = {
  /** Its share of the whole, beside the others. */
  weight: number
  /** The game has to be down from its beginning on: the reconciler stops it, and brings it back afterwards. */
  needsDown?: boolean
  /**
   * @throws DomainError: it cannot be done, and everything goes back; any other error is tried again first, and goes back
   * with the DomainError that is its cause.
   */
  run(step: Step<Input, Notes>): Promise<void>
  /** Brings back what was, however far `run` has come; nothing where it has not begun. */
  undo?(step: Step<Input, Notes>): Promise<void>
}

export type Outcome = 'done' | 'failed' | 'cancelled' | 'rolled_back'
export type Ended<Input, Notes> = {
  operationId: string
  serverId: string
  userId: string | null
  input: Input
  notes: Partial<Notes>
  outcome: Outcome
  error: { code: string; fields?: Record<string, unknown> } | null
}

type Given<Kind extends OperationKind, Input, Notes> = {
  /** Whether a server has only one of these at a time. */
  exclusive: boolean
  phases: { [Name in OperationPhase<Kind>]: Phase<Input, Notes> }
  /**
   * How a server sleeps on that was kept down; null: it comes up, where it is to be up at all. So it does where this is
   * missing.
   */
  sleepsOn?(notes: Partial<Notes>): Sleep | null
  /**
   * Whether there is no way back from where it has come: what fails then ends as `failed`, and nothing is taken back. Missing:
   * there always is one.
   */
  isSettled?(notes: Partial<Notes>): boolean
  /** Tells of its end, in the transaction in which it ends. */
  ended(trx: Transaction, end: Ended<Input, Notes>, deps: OperationDeps): Promise<void>
}

export type OperationDefinition = {
  kind: OperationKind
  exclusive: boolean
  phases: (Phase<unknown, unknown> & { name: string })[]
  sleepsOn(notes: object): Sleep | null
  isSettled(notes: object): boolean
  ended(trx: Transaction, end: Ended<unknown, unknown>, deps: OperationDeps): Promise<void>
}

/** The order of the phases is the contract's. */
export function defineOperation<Kind extends OperationKind, Input, Notes>(
  kind: Kind,
  { exclusive, phases, sleepsOn = () => null, isSettled = () => false, ended }: Given<Kind, Input, Notes>,
): OperationDefinition {
  const names: readonly OperationPhase<Kind>[] = operationPhases[kind]
  return {
    kind,
    exclusive,
    phases: names.map((name) => ({ name, ...(phases[name] as Phase<unknown, unknown>) })),
    sleepsOn: sleepsOn as OperationDefinition['sleepsOn'],
    isSettled: isSettled as OperationDefinition['isSettled'],
    ended: ended as OperationDefinition['ended'],
  }
}
