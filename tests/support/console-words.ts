/** What was typed into a game's console and what it told, seen from beside whoever works. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'
import type { TestApi } from './api.ts'

const words = /(\w+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g

export type ConsoleWords = {
  /** How often a word with the name of an order after it was typed, as `word id`. */
  typed: (what: string) => number
  /** And how often the game has said it. */
  told: (what: string) => number
  stop(): void
}

/** Follows a console through all that happens to its game, until it is stopped. */
export function followConsole({ context: { fleet } }: Pick<TestApi, 'context'>, serverId: string): ConsoleWords {
  const [typed, told] = [new Map<string, number>(), new Map<string, number>()]
  let isOver = false
  let last = 0
  const take = (line: ConsoleLine) => {
    if (line.seq <= last) return
    last = line.seq
    const map = line.stream === 'in' ? typed : told
    for (const [what] of line.text.matchAll(words)) map.set(what, (map.get(what) ?? 0) + 1)
  }
  void (async () => {
    while (!isOver) {
      const stream = await fleet
        .find(serverId)
        .then((supervisor) => supervisor?.openStream(last))
        .catch(() => undefined)
      if (stream !== undefined) {
        stream.onMessage((message) => {
          if (message.type === 'console') message.lines.forEach(take)
        })
        await new Promise<void>((resolve) => stream.onClose(resolve))
      }
      await delay(100)
    }
  })()
  return {
    typed: (what) => typed.get(what) ?? 0,
    told: (what) => told.get(what) ?? 0,
    stop: () => void (isOver = true),
  }
}
