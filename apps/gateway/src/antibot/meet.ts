/** Meets who comes to a guarded server: leads them on, turns them away, or lets them prove that they are people. */
import { setTimeout as delay } from 'node:timers/promises'
import { cleanHost } from '@wakestone/minecraft/handshake'
import { refusalAtDoor } from '@wakestone/protocol/door'
import { kickAnswer, type Subject, waitingNotice } from '../answers.ts'
import type { GatewayContext } from '../context.ts'
import type { Language, Situation } from '../messages.ts'
import { canUseRoom, closing, type Guest, ROOM_MS, stillWaking } from '../waking/receive.ts'
import { waitInRoom } from '../waking/waiting-room.ts'
import { isWakeable } from '../waking/wakes.ts'
import type { Guarded } from './guard.ts'

/** A newcomer waits so long before a server without a game is woken: many who come within it are an attack. */
const PAUSE_MS = 600
/** A client is looked at for so long in the waiting room, and answers so often meanwhile. */
const CHECK_MS = 5_000
const BEAT_MS = 1_000
const ANSWERS = 3
/** For a client that is not even in the room by then. */
const LEAVE_MS = 1_000

/** @returns whether they are to be led on; if not, they have their answer, or the connection is over. */
export async function meetPlayer(guest: Guest, route: Guarded, context: GatewayContext): Promise<boolean> {
  const { socket, name, player } = guest
  const { antibot } = context
  const comer = { name, address: player.address }
  // Whom the game would refuse is told so further on, and wakes nothing.
  if (isWakeable(route) && refusalAtDoor(route.door, comer)) return true
  const verdict = antibot.examine(route, comer)
  if (verdict.way === 'away') {
    tell(guest, { situation: verdict.reason, route }, context)
    return false
  }
  if (verdict.way === 'in') {
    if (!verdict.isNewcomer || route.state !== 'asleep' || antibot.isStrict(route)) return true
    await delay(PAUSE_MS)
    if (!antibot.isStrict(route)) return !socket.destroyed
  }
  await letProve(guest, route, context)
  return false
}

/** Ends a login with what there is to say. Nothing is logged: there may be thousands of them. */
function tell({ socket, handshake }: Guest, subject: Subject, { metrics }: GatewayContext) {
  metrics.count('answers_total', { kind: 'kick', situation: subject.situation })
  socket.resume()
  socket.end(kickAnswer(subject, handshake.protocol))
}

async function letProve(guest: Guest, route: Guarded, context: GatewayContext): Promise<void> {
  const { antibot, checkPlaces } = context
  if (!canUseRoom(guest) || !checkPlaces.take(route.serverId)) {
    antibot.askToRejoin(route, { name: guest.name, address: guest.player.address })
    return tell(guest, { situation: 'rejoin', route, seconds: antibot.rejoinSeconds }, context)
  }
  try {
    await check(guest, route, context)
  } finally {
    checkPlaces.giveBack(route.serverId)
  }
}

/** A client that is one has told its settings and answered by then; it is sent to the game as if it had waited. */
async function check(guest: Guest, route: Guarded, context: GatewayContext): Promise<void> {
  const { socket, queue, handshake, name, player } = guest
  const { antibot, metrics, routes, transfers, wakes } = context
  const comer = { name, address: player.address }
  let situation: Situation = 'checking'
  let language = route.language
  let answers = 0
  let hasSettings = false
  queue.skip(guest.loginBytes)
  metrics.count('answers_total', { kind: 'room', situation })

  const seemsReal = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(answers >= ANSWERS && hasSettings), CHECK_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
  async function mayCome(): Promise<boolean> {
    if (!(await seemsReal)) {
      antibot.turnedAway(route, (situation = 'room_failed'))
      setTimeout(() => socket.destroy(), LEAVE_MS).unref()
      return false
    }
    if (!antibot.verify(route, comer)) {
      situation = 'server_busy'
      return false
    }
    const now = routes.find(route.host)
    if (!isWakeable(now)) return true // it runs, or says itself why it does not
    situation = 'waking'
    const knock = await wakes.knock(now, comer)
    if (knock.outcome === 'up') return true
    if (knock.outcome === 'refused') {
      situation = knock.situation
      return false
    }
    const up = await wakes.whenUp(route.host, { milliseconds: ROOM_MS, signal: closing(socket) })
    if (up === undefined) ({ situation } = stillWaking(guest, context))
    return up !== undefined
  }

  const words = () => ({ language, serverName: route.serverName })
  await waitInRoom({
    socket,
    queue,
    protocol: handshake.protocol,
    uuid: guest.uuid!,
    name,
    host: cleanHost(handshake.host),
    port: handshake.port,
    beatMs: BEAT_MS,
    onHeard(what) {
      if (what === 'answer') answers += 1
      else {
        hasSettings = true
        language = languageOf(what.language) ?? language
      }
    },
    whenUp: mayCome(),
    progress: () => waitingNotice(words(), wakes.remaining(route) ?? null, situation),
    apology: () => {
      const { title, text } = waitingNotice(words(), null, situation)
      return [...title, { text: '\n\n', color: 'muted' }, ...text]
    },
    onTransfer: () => {
      metrics.count('answers_total', { kind: 'transfer', situation })
      transfers.expect(route.serverId, player.address)
    },
  })
}

const languages: readonly Language[] = ['en', 'pl', 'de']
/** Of a client's `pl_pl`; undefined: none that is spoken here. */
const languageOf = (client: string) => languages.find((one) => client.toLowerCase().startsWith(`${one}_`))
