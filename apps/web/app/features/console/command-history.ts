/** Commands typed before, per server, kept in the browser. ↑ goes back, ↓ returns as far as what was being typed. */

const KEPT = 100

export type CommandHistory = {
  add: (command: string) => void
  /** The command before the shown one, or null at the oldest. `draft` is what stands in the field. */
  older: (draft: string) => string | null
  newer: () => string | null
  /** Called when the person types: browsing starts anew. */
  rest: () => void
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

function read(storage: Storage | null, key: string): string[] {
  try {
    const parsed: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(parsed)
      ? parsed.filter((entry): entry is string => typeof entry === 'string').slice(-KEPT)
      : []
  } catch {
    return [] // another version's or a person's own writing: start anew
  }
}

/** Opens the history of one server. `storage` null = nothing is kept. */
export function createCommandHistory(serverId: string, storage: Storage | null): CommandHistory {
  const key = `wakestone.console.${serverId}`
  const commands = read(storage, key)
  let at = commands.length
  let draft = ''
  return {
    add: (command) => {
      const before = commands.lastIndexOf(command)
      if (before >= 0) commands.splice(before, 1)
      commands.push(command)
      if (commands.length > KEPT) commands.shift()
      at = commands.length
      draft = ''
      try {
        storage?.setItem(key, JSON.stringify(commands))
      } catch {
        // A full or forbidden store: the history lasts as long as the page.
      }
    },
    older: (shown) => {
      if (at === 0) return null
      if (at === commands.length) draft = shown
      at -= 1
      return commands[at] ?? null
    },
    newer: () => {
      if (at >= commands.length) return null
      at += 1
      return at === commands.length ? draft : (commands[at] ?? null)
    },
    rest: () => {
      at = commands.length
    },
  }
}
