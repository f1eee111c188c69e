/** What the control plane asks of any cluster driver: to place supervisors, and nothing of what happens inside. */
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { AgentAddress, TunnelEndpoint } from '@wakestone/protocol/agent-address'
import type { SupervisorConfig, SupervisorEndpoint } from '@wakestone/protocol/supervisor'

/** One game server's supervisor, as it should be placed. */
export type Workload = { serverId: string; limits: SupervisorConfig['limits'] }

/** Where players are led to. The driver picks it; what a supervisor says of it counts for nothing. */
export type GameAddress = {
  host: string
  port: number
  /** The agent through which alone it is reached. */
  agent?: AgentAddress
}

export type Placement =
  | { state: 'absent' }
  | { state: 'running'; endpoint: SupervisorEndpoint; game: GameAddress }
  /** Placed once, and dead now; its volume is there. `inOrder`: it was not killed. */
  | { state: 'exited'; inOrder: boolean }
  /** Its machine does not answer: whether it runs cannot be told, and it must not be placed elsewhere. */
  | { state: 'lost'; node: string }

/** How a supervisor came up that had a checkpoint. `why`: what kept it from coming back as its checkpoint has it. */
export type Waking = { from: 'checkpoint' | 'start'; why?: string }

/** All that a server has in memory, on disk. Good for one waking, as long as nothing that it stands on has changed. */
export type Checkpoints = {
  /** Why there can be none; undefined where there can: found out by trying. Of this machine, where no server is named. */
  findFault(serverId?: string): Promise<string | undefined>
  /**
   * Of a placed server whose game is frozen and whose supervisor rests: nothing of it lives then. Asked for again, it
   * brings to its end what was cut off. `busy`: somebody may write to its volume meanwhile, and it goes on.
   * @throws Error where there can be none: what lives goes on
   */
  make(serverId: string): Promise<'made' | 'busy'>
  /** Whether there is one. */
  has(serverId: string): Promise<boolean>
  /** Has the server be started when it is placed next. */
  drop(serverId: string): Promise<void>
}

/** What a cluster tells on its own. */
export type ClusterEvent =
  /** All that are placed: told first, and whenever something may have been missed. */
  | { kind: 'listed'; serverIds: string[] }
  /** What `inspect` answers of it may be another now. */
  | { kind: 'changed'; serverId: string }

/** Bytes and cores. `free` is what nobody uses now; null where a machine does not tell. */
type Share = { total: number; free: number | null }
type Capacity = { memory: Share; storage: Share | null; cores: number; load: number | null; nodes: Node[] }
/** One machine of a cluster. */
type Node = { name: string; answers: boolean; placed: number }

/** A command that is run once beside a server, with its volume. It knows no more than what it is given. */
export type Task = {
  /** For its log and its cgroup: at most 20 of `[a-z-]`. */
  name: string
  /** Arguments as they are seen inside: Node stands at `/opt/wakestone/bin/node`. */
  command: string[]
  /** Shown at `/data`, without what is the supervisor's. */
  volume: 'none' | 'read' | 'write'
  /** Name → file or folder of the host, shown read-only at `/opt/wakestone/tools/<name>`. */
  tools?: Record<string, string>
  /**
   * Name → folder of the host that belongs to this server alone, shown at `/mnt/<name>`. It is made where it is missing,
   * and given to the box's user with all that is in it. `mayBeEmpty`: it is a cache, and another one does as well.
   */
  folders?: Record<string, { host: string; write: boolean; mayBeEmpty?: boolean }>
  /** Secrets too: nobody else sees this environment. */
  env?: Record<string, string>
  /** `host`: the machine's own, for programs of ours that speak to storage; never for a customer's code. */
  network: 'none' | 'host'
  memoryBytes: number
  /** At most 1 MiB. */
  stdin?: string
}
export type TaskLine = { stream: 'out' | 'err'; text: string }
export type TaskRun = {
  /**
   * What it writes, to be read once. Lines are cut at 64 KiB; of more than 5 000 a second, and of what nobody reads, the
   * oldest are dropped. Ends with the task.
   */
  lines: AsyncIterable<TaskLine>
  /** With what it ended; `code` is null when a signal ended it. Never rejects. */
  exit: Promise<TaskExit>
  /** SIGINT, and ten seconds later SIGKILL to all of it. */
  cancel(): void
}
export type TaskExit = { code: number | null; signal: string | null; outOfMemory: boolean }

/** Where the files service of a server is reached (`@wakestone/protocol/files`). */
export type FilesEndpoint =
  | { kind: 'unix'; path: string }
  | { kind: 'http'; url: string }
  | (TunnelEndpoint & { to: 'files' })

export type Cluster = {
  /** Says why the cluster cannot take servers; `ok` when it can. */
  check(): Promise<{ ok: boolean; problems: string[] }>
  /**
   * Brings the supervisor up, from its checkpoint where it has one; a running one stays as it is. Resolves when it can be
   * talked to.
   */
  place(workload: Workload): Promise<Placement & { state: 'running'; waking?: Waking }>
  /** Where this is missing, nothing of a server outlives its processes but its volume. */
  checkpoints?: Checkpoints
  inspect(serverId: string): Promise<Placement>
  /** Brings files of a plan to where the server can read them, as far as it cannot fetch them itself. */
  provide(plan: InstallPlan, serverId: string): Promise<void>
  /** The agent through which alone the game of a server is reached, whether it answers or not; undefined where there is none. */
  agentOf?(serverId: string): Promise<AgentAddress | undefined>
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
  /**
   * Gives the volume of a placed server more room while it is used.
   * @returns whether it has that now; otherwise it has when it is placed next
   */
  growDisk(serverId: string, diskBytes: number): Promise<boolean>
  /**
   * Runs a command in a box of its own. It dies with this process.
   * @throws Error where it cannot be started
   */
  runTask(serverId: string, task: Task): Promise<TaskRun>
  /**
   * Brings the files service of a server up, which needs no supervisor; several askers get the same one. It outlives
   * whoever asked, and ends itself a minute after its last connection: whoever finds it gone asks again.
   * @throws Error where it cannot be started
   */
  openFiles(serverId: string, limits: Workload['limits']): Promise<FilesEndpoint>
  /** Ends the files service and all tasks of a server, and sees that they are gone. Part of `remove`. */
  closeBoxes(serverId: string): Promise<void>
  /** Ends the supervisor at once and forgets the placement. The volume stays unless told otherwise. */
  remove(serverId: string, options?: { volume: 'keep' | 'delete' }): Promise<void>
  /** Every server that was placed and not removed, whoever knows of it. */
  list(): Promise<string[]>
  /** What the machines of the cluster have; those that do not answer count for nothing. */
  capacity(): Promise<Capacity>
  /** Tells of what happens to placed supervisors until it is told to end; what breaks off meanwhile is begun anew. */
  watch(signal: AbortSignal): AsyncIterable<ClusterEvent>
  /** Stops all games cleanly, worlds saved, and then their supervisors; what takes longer is killed. */
  stopAll(options: { timeoutSeconds: number }): Promise<void>
}
