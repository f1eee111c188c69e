/** Whether a line of the console holds words that a player has chosen: chat, typed commands, names that they gave to things. */

// oxlint-disable-next-line no-control-regex
const TERMINAL_CODES = /\x1b\[[0-9;?]*[A-Za-z]/g
/** What engines put before a message, such as `[14:02:11] [Server thread/INFO]: `, is no longer. */
const PREFIX_LENGTH = 120
const NAME = String.raw`[.*]?\w{1,16}`

/** Of a thread that does nothing but chat. */
const chatThread = /^\[[^\]]{1,40}\] \[Async Chat Thread/
/** Beginnings of messages; each is bounded, so that no line takes long. */
const beginnings = [
  // Chat, with marks such as `[Not Secure]` or a world before it; a plugin may put ranks beside the name.
  /^(?:\[[^\]]{1,40}\] ?){0,3}<[^<>]{1,64}>/,
  new RegExp(String.raw`^\* ${NAME} `), // of /me
  new RegExp(String.raw`^\[${NAME} -> ${NAME}\]`), // whispered, as plugins show it
  new RegExp(String.raw`^${NAME} issued server command: `),
  /^Named entity /,
]
/** A named weapon, in the message of a death. */
const named = / using \[[^\]]{0,100}\]$/

/** Engines and plugins may show chat otherwise; such lines are not known. */
export function holdsPlayerWords(line: string): boolean {
  const text = line.replace(TERMINAL_CODES, '').trim()
  const at = text.slice(0, PREFIX_LENGTH).indexOf(']: ')
  const message = at === -1 ? text : text.slice(at + 3)
  return (
    chatThread.test(text) ||
    named.test(text) ||
    beginnings.some((beginning) => beginning.test(message) || beginning.test(text))
  )
}
