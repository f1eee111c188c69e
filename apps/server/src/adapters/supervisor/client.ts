/** Talks to one supervisor; see `@wakestone/protocol/supervisor`. What it answers passes the gate: the game can forge it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { FileWork, SupervisorEndpoint, SupervisorEvent } from '@wakestone/protocol/supervisor'
import type { KnownFile } from '@wakestone/protocol/values'
import { SupervisorError } from './errors.ts'
import type { Gate, GameAddress, PassedOver, ToldStatus } from './gate.ts'
import { workOnFiles } from './file-work.ts'
import { splitLines } from './lines.ts'
import { createMysqlClient } from './mysql.ts'
import { openStream } from './stream.ts'
import type { SupervisorSigner } from './tokens.ts'
import { createTransport } from './transport.ts'

/** A crash with its last lines, in letters of three bytes, fits twice. */
const mostEventBytes = 512 * 1024

export type SupervisorClient = ReturnType<typeof createSupervisorClient>

export function createSupervisorClient({
  endpoint,
  game,
  serverId,
  sign,
  gate,
  provide,
  closing = new AbortController().signal,
}: {
  endpoint: SupervisorEndpoint
  /** Where players are led to, as the driver has it. */
  game?: GameAddress | undefined
  serverId: string
  sign: SupervisorSigner
  /** Of this server, shared by all who talk to it. */
  gate: Gate
  /** Sees to it that the supervisor can read the files of a plan. */
  provide?: (plan: InstallPlan) => Promise<void>
  /** Ends every call. */
  closing?: AbortSignal
}) {
  const authorize = (purpose: 'control' | 'console') => `Bearer ${sign({ serverId, purpose })}`
  const { call, callForText, follow } = createTransport({
    endpoint,
    authorization: () => authorize('control'),
    closing,
  })
  const callForStatus = async (method: string, path: string, body?: unknown): Promise<ToldStatus> =>
    gate.readStatus(await call(method, path, body), game)
  const work = (kind: FileWork['kind'], id: string | null, ask: () => Promise<ToldStatus>) =>
    workOnFiles({ kind, id, ask, status: () => callForStatus('GET', '/v1/status'), closing })

  return {
    mysql: createMysqlClient({ endpoint, authorization: () => authorize('control'), closing }),
    status: () => callForStatus('GET', '/v1/status'),
    async install(plan: InstallPlan): Promise<ToldStatus> {
      await provide?.(plan)
      return callForStatus('POST', '/v1/install', { plan })
    },
    start: () => callForStatus('POST', '/v1/start', {}),
    stop: (timeoutSeconds: number) => callForStatus('POST', '/v1/stop', { timeoutSeconds }),
    restart: (timeoutSeconds: number) => callForStatus('POST', '/v1/restart', { timeoutSeconds }),
    kill: () => callForStatus('POST', '/v1/kill', {}),
    /** Has the world written and then left alone for so long; asked again, for longer. `world` tells how far that is. */
    holdWorld: (seconds: number) => callForStatus('POST', '/v1/world/hold', { seconds }),
    releaseWorld: () => callForStatus('POST', '/v1/world/release', {}),
    freeze: () => callForStatus('POST', '/v1/freeze', {}),
    thaw: () => callForStatus('POST', '/v1/thaw', {}),
    /** Has it close all that leads out of its sandbox, for a moment. @throws SupervisorError with 409 or 404 where it does not */
    rest: () => callForStatus('POST', '/v1/rest', {}),
    /** These three resolve once it is done. Asked for again, they wait for what is under way. */
    snapshot: (id: string) => work('snapshot', id, () => callForStatus('POST', '/v1/snapshot', { id })),
    restoreSnapshot: (id: string) => work('restore', id, () => callForStatus('POST', '/v1/snapshot/restore', { id })),
    format: (keep: readonly string[]) => work('format', null, () => callForStatus('POST', '/v1/format', { keep })),
    async deleteSnapshot(id: string): Promise<void> {
      await call('DELETE', `/v1/snapshot/${encodeURIComponent(id)}`)
    },
    /** Undefined when there is no such file. */
    readFile: (name: KnownFile) =>
      callForText('GET', `/v1/file?path=${encodeURIComponent(name)}`).catch((error: unknown) => {
        if (error instanceof SupervisorError && error.status === 404) return undefined
        throw error
      }),
    /** @param content at most `knownFileBytes` */
    async writeFile(name: KnownFile, content: string): Promise<void> {
      await call('PUT', `/v1/file?path=${encodeURIComponent(name)}`, { text: content })
    },
    /** Has it tell of console lines that hold one of these texts. @param mark told back in its status */
    async watchLines(
      lines: readonly { id: string; text: string; chat: boolean }[],
      mark: string | null,
    ): Promise<void> {
      await call('PUT', '/v1/lines', { mark, lines })
    },
    /**
     * By the management protocol of the game. Undefined where it has none, so that its console has to do it.
     * @throws SupervisorError with status 422 for what the game refuses
     */
    async manage(method: string, params: readonly unknown[]): Promise<{ result: unknown } | undefined> {
      try {
        const { result } = (await call('POST', '/v1/manage', { method, params })) as { result?: unknown }
        return { result }
      } catch (error) {
        if (error instanceof SupervisorError && (error.status === 404 || error.status === 409)) return undefined
        throw error
      }
    },
    /** Where players are; of nobody where the supervisor knows nothing of it. */
    positions: () =>
      call('GET', '/v1/positions').then(gate.readPositions, (error: unknown) => {
        if (error instanceof SupervisorError && error.status === 404) return []
        throw error
      }),
    async command(command: string): Promise<void> {
      await call('POST', '/v1/command', { command })
    },
    async acknowledge(seq: number): Promise<void> {
      await call('POST', '/v1/events/ack', { seq })
    },

    /**
     * Events after `after`: first those that wait, then each as it happens. Ends by an error when the connection
     * breaks, quietly when `signal` aborts.
     */
    async *events(after: number, signal = new AbortController().signal): AsyncGenerator<SupervisorEvent | PassedOver> {
      const response = await follow(`/v1/events?after=${after}`, signal)
      let seq = after
      try {
        if (response.statusCode !== 200)
          throw new SupervisorError('refused', 'no events', { status: response.statusCode ?? 0 })
        for await (const line of splitLines(response, mostEventBytes)) {
          // Read no faster than this: what is not read fills the sandbox's memory, not ours.
          if (!gate.eventBytes.take(line.length)) await delay(gate.eventBytes.wait(), undefined, { signal })
          const event = gate.readEvent(line, game)
          if (event.seq <= seq) throw new SupervisorError('unreadable', 'events out of order')
          seq = event.seq
          yield event
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof SupervisorError) throw error
        throw new SupervisorError('unreached', `events broke off: ${(error as Error).message}`, { cause: error })
      } finally {
        response.destroy()
      }
      if (!signal.aborted) throw new SupervisorError('unreached', 'events ended')
    },

    /** Opens console and statistics; console lines after the number `after`. */
    openStream: async (after = 0) => openStream({ endpoint, authorization: authorize('console'), gate, after }),
    /** Milliseconds until the console may say more. */
    consoleWait: () => gate.consoleBytes.wait(),
  }
}
