/** What the control plane asks of any cluster driver: to place supervisors, and nothing of what happens inside. */
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { SupervisorConfig, SupervisorEndpoint } from '@wakestone/protocol/supervisor'

/** One game server's supervisor, as it should be placed. */
export type Workload = { serverId: string; limits: SupervisorConfig['limits'] }

/** Where players are led to. The driver picks it; what a supervisor says of it counts for nothing. */
export type GameAddress = { host: string; port: number }

export type Placement =
  | { state: 'absent' }
  | { state: 'running'; endpoint: SupervisorEndpoint; game: GameAddress }
  /** Placed once, and dead now; its volume is there. `inOrder`: it was not killed. */
  | { state: 'exited'; inOrder: boolean }

export type Cluster = {
  /** Says why the cluster cannot take servers; `ok` when it can. */
  check(): Promise<{ ok: boolean; problems: string[] }>
  /** Brings the supervisor up; a running one stays as it is. Resolves when it can be talked to. */
  place(workload: Workload): Promise<Placement & { state: 'running' }>
  inspect(serverId: string): Promise<Placement>
  /** Brings files of a plan to where servers can read them, as far as they cannot fetch them themselves. */
  provide(plan: InstallPlan): Promise<void>
  /**
   * Whether nothing of the game lives, seen from outside whatever its supervisor says. What a supervisor runs for a
   * moment counts as the game's: ask again before believing a no.
   */
  gameIsGone(serverId: string): Promise<boolean>
  /**
   * Sees to it that nothing of the game lives. What has not ended after a moment is ended with its supervisor, and the
   * placement is an exited one then.
   */
  endGame(serverId: string): Promise<'gone' | 'ended with its supervisor'>
  /**
   * Gives memory of a frozen game back to the machine, which takes it from its swap when the game goes on.
   * @returns bytes that became free; null where the machine cannot
   */
  giveBackMemory(serverId: string): Promise<number | null>
  /** Ends the supervisor at once and forgets the placement. The volume stays unless told otherwise. */
  remove(serverId: string, options?: { volume: 'keep' | 'delete' }): Promise<void>
  /** Every server that was placed and not removed. */
  list(): Promise<string[]>
  /** Stops all games cleanly, worlds saved, and then their supervisors; what takes longer is killed. */
  stopAll(options: { timeoutSeconds: number }): Promise<void>
}
