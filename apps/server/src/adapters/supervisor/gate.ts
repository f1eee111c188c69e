/**
 * The one gate that everything a supervisor says passes: the game beside it can speak in its name. What cannot be read
 * is refused, what is not known of a later version is passed over, and there is a rate for everything that costs us.
 */
import type { Logger } from '@wakestone/kit/logger'
import {
  type PlayerPosition,
  positionsSchema,
  type StreamMessage,
  streamMessageSchema,
  type SupervisorEvent,
  supervisorEventSchema,
  supervisorEventTypes,
  type SupervisorStatus,
  supervisorStatusSchema,
} from '@wakestone/protocol/supervisor'
import { watchedLines, watchedLineSeconds } from '@wakestone/protocol/values'
import { protocolVersions } from '@wakestone/protocol/versions'
import { type Bucket, createBucket } from './bucket.ts'
import { SupervisorError } from './errors.ts'

/** An event that is not taken in: unknown here, or one too many. */
export type PassedOver = { type: 'passed_over'; seq: number }

/** Where players are led to, as the driver has it. */
export type GameAddress = { host?: string; port: number }
/** What a supervisor says, with where its game is: on this machine where the driver does not know. */
export type ToldStatus = SupervisorStatus & { gameHost?: string | null }

/** At once, and per second in the long run. A busy server stays far below; the spool of an outage fits into `burst`. */
const eventRates = {
  phase: { burst: 200, perSecond: 1 },
  player: { burst: 2_000, perSecond: 5 },
  awake: { burst: 100, perSecond: 1 },
  /** Large ones; a supervisor tells of each kind at most twice a minute. */
  face: { burst: 20, perSecond: 1 / 20 },
  door: { burst: 20, perSecond: 1 / 10 },
  /** One a minute of each kind that is watched for. */
  line: { burst: 2 * watchedLines, perSecond: watchedLines / watchedLineSeconds },
  rare: { burst: 10, perSecond: 1 / 60 }, // each is a notification
}
const rateOf: Record<SupervisorEvent['type'], keyof typeof eventRates> = {
  phase: 'phase',
  player_joined: 'player',
  player_left: 'player',
  awake: 'awake',
  face: 'face',
  door: 'door',
  line: 'line',
  installed: 'rare',
  install_failed: 'rare',
  crashed: 'rare',
}
const eventBytes = { burst: 2 * 1024 * 1024, perSecond: 64 * 1024 }
/** 5 000 lines of a game are about half of that in a second. */
const consoleBytes = { burst: 4 * 1024 * 1024, perSecond: 512 * 1024 }
/** Unknown words that are logged of one server; whoever invents more fills no log. */
const wordsLogged = 10
const tellsDroppedEachMilliseconds = 60_000

export type Gate = ReturnType<typeof createGate>

export function createGate({
  serverId,
  logger,
  ownPorts = new Set(),
  consoleRate = consoleBytes,
}: {
  serverId: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** Ports of ours, on which no game listens. */
  ownPorts?: ReadonlySet<number>
  /** Bytes. */
  consoleRate?: { burst: number; perSecond: number }
}) {
  const words = new Set<string>()
  const rates = Object.fromEntries(
    Object.entries(eventRates).map(([kind, rate]) => [kind, createBucket(rate)]),
  ) as Record<keyof typeof eventRates, Bucket>
  let dropped = 0
  let droppedToldAt = -Infinity

  /** Says once that something is not known here. */
  function noteUnknown(kind: string, word: unknown) {
    const name = `${kind} ${String(word).slice(0, 40)}`
    if (words.has(name) || words.size >= wordsLogged) return
    words.add(name)
    logger.info({ serverId, unknown: name }, 'a supervisor says what this version does not know; passed over')
  }

  function noteDropped() {
    dropped++
    if (performance.now() - droppedToldAt < tellsDroppedEachMilliseconds) return
    droppedToldAt = performance.now()
    logger.warn({ serverId, dropped }, 'a supervisor tells of more events than can be; so many were dropped')
    dropped = 0
  }

  /** A game never listens where we do, and needs no port that only a system's own services may open. */
  const isGamePort = (port: number) => port >= 1024 && port <= 65_535 && !ownPorts.has(port)
  /** Where the driver has assigned a port, a supervisor only says whether a game lives. */
  function limitPort(status: SupervisorStatus, game: GameAddress | undefined): ToldStatus {
    if (status.gamePort === null) return { ...status, gameHost: null }
    return {
      ...status,
      gameHost: game?.host ?? null,
      gamePort: game?.port ?? (isGamePort(status.gamePort) ? status.gamePort : null),
    }
  }

  return {
    eventBytes: createBucket(eventBytes),
    consoleBytes: createBucket(consoleRate),

    /** @throws SupervisorError `unreadable` */
    readStatus(answer: unknown, game?: GameAddress): ToldStatus {
      const { protocol, phase } = (answer ?? {}) as { protocol?: unknown; phase?: unknown }
      const { oldest, newest } = protocolVersions
      if (typeof protocol === 'number' && (protocol < oldest || protocol > newest)) {
        noteUnknown('protocol', protocol)
        throw new SupervisorError('unreadable', `speaks version ${protocol} of the protocol`)
      }
      const read = supervisorStatusSchema.safeParse(answer)
      if (!read.success) throw new SupervisorError('unreadable', `no status: ${read.error.issues[0]?.path.join('.')}`)
      if (read.data.serverId !== serverId) throw new SupervisorError('unreadable', 'another server answered')
      if (read.data.phase === 'unknown') noteUnknown('phase', phase)
      return limitPort(read.data, game)
    },

    /** @throws SupervisorError `unreadable` */
    readPositions(answer: unknown): PlayerPosition[] {
      const read = positionsSchema.safeParse(answer)
      if (!read.success) throw new SupervisorError('unreadable', 'no positions')
      return read.data.positions
    },

    /** @throws SupervisorError `unreadable` */
    readEvent(line: string, game?: GameAddress): SupervisorEvent | PassedOver {
      const event = readJson(line) as { seq?: unknown; type?: unknown; status?: { phase?: unknown } } | null
      const seq = event?.seq
      if (!Number.isSafeInteger(seq) || (seq as number) < 1) throw new SupervisorError('unreadable', 'no event')
      const passedOver: PassedOver = { type: 'passed_over', seq: seq as number }
      if (typeof event?.type === 'string' && !supervisorEventTypes.includes(event.type)) {
        noteUnknown('event', event.type)
        return passedOver
      }
      const read = supervisorEventSchema.safeParse(event)
      if (!read.success) throw new SupervisorError('unreadable', `no event: ${read.error.issues[0]?.path.join('.')}`)
      if (read.data.type === 'phase' && read.data.status.phase === 'unknown') {
        noteUnknown('phase', event?.status?.phase)
        return passedOver
      }
      if (rates[rateOf[read.data.type]].take())
        return read.data.type === 'phase' ? { ...read.data, status: limitPort(read.data.status, game) } : read.data
      noteDropped()
      return passedOver
    },

    /** @returns undefined for a message that is not known here. @throws SupervisorError `unreadable` */
    readMessage(text: string): StreamMessage | undefined {
      const message = readJson(text) as { type?: unknown } | null
      const type = message?.type
      if (type === 'status') return undefined // the control plane asks for it, and knows more than it
      if (typeof type === 'string' && type !== 'console' && type !== 'stats') {
        noteUnknown('message', type)
        return undefined
      }
      const read = streamMessageSchema.safeParse(message)
      if (!read.success) throw new SupervisorError('unreadable', `no message: ${read.error.issues[0]?.path.join('.')}`)
      return read.data
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SupervisorError('unreadable', 'no JSON', { cause: error })
  }
}
