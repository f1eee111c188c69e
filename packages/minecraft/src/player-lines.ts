/** How engines tell on their console that a player has come or gone. */

/** `id`: of the account, where the line says it. */
export type PlayerChange = { kind: 'joined' | 'left'; name: string; id?: string }

// Bridges for Bedrock players put a `.` or `*` before the name.
const NAME = String.raw`([.*]?\w{1,16})`
/** Anchored on both sides: what a player chats on a line of its own form must not match. */
const lineTable: readonly { engines: string; kind: PlayerChange['kind']; line: RegExp }[] = [
  {
    engines: 'vanilla, Fabric',
    kind: 'joined',
    line: on(String.raw`\[Server thread/INFO\](?: \[[^\]]+\])?: ${NAME} joined the game`),
  },
  {
    engines: 'vanilla, Fabric',
    kind: 'left',
    line: on(String.raw`\[Server thread/INFO\](?: \[[^\]]+\])?: ${NAME} left the game`),
  },
  { engines: 'Paper, Purpur', kind: 'joined', line: on(String.raw`${NAME} joined the game`, ' INFO') },
  { engines: 'Paper, Purpur', kind: 'left', line: on(String.raw`${NAME} left the game`, ' INFO') },
  {
    engines: 'flying-squid',
    kind: 'joined',
    line: new RegExp(String.raw`^(?:> )?\w+ \w+ \d{4}, [\d:]{8} \[INFO\]: ${NAME} \([^()]*\) connected$`),
  },
  {
    engines: 'flying-squid',
    kind: 'left',
    line: new RegExp(String.raw`^(?:> )?\w+ \w+ \d{4}, [\d:]{8} \[INFO\]: ${NAME} disconnected$`),
  },
  { engines: 'Bedrock', kind: 'joined', line: onBedrock('connected') },
  { engines: 'Bedrock', kind: 'left', line: onBedrock('disconnected') },
]

/** Names of Bedrock players may hold spaces. */
function onBedrock(what: string): RegExp {
  return new RegExp(
    String.raw`^\[[\d-]{10} [\d:]{12} INFO\] Player ${what}: ([^,:\s][^,:]{0,30}), xuid: (\d*)(?:, pfid: \w*)?$`,
  )
}

function on(rest: string, inTime?: string): RegExp {
  const time = String.raw`\[(?:[\w.]+ )?\d\d:\d\d:\d\d(?:\.\d+)?`
  return new RegExp(inTime === undefined ? String.raw`^${time}\] ${rest}$` : String.raw`^${time}${inTime}\]: ${rest}$`)
}

/** Control sequences of terminals: colours, cursor movements. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_CODES = /\x1b\[[0-9;?]*[A-Za-z]/g

/** Reads one console line; undefined when it is about something else. */
export function readPlayerLine(text: string): PlayerChange | undefined {
  if (text.length > 300 || !/(?:game|connected)\s*$|Player (?:dis)?connected: /.test(text)) return undefined
  const plain = text.replace(TERMINAL_CODES, '').trim()
  for (const { kind, line } of lineTable) {
    const [, name, id] = line.exec(plain) ?? []
    if (name !== undefined) return { kind, name, ...(id && { id }) }
  }
  return undefined
}

const IDENTITY = new RegExp(
  String.raw`^\[(?:[\w.]+ )?\d\d:\d\d:\d\d(?:\.\d+)?(?: INFO\]|\] \[[^\]]{1,60}/INFO\](?: \[[^\]]+\])?): UUID of player ${NAME} is ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
)

/** Who a player is, as Java's engines tell before they let them in. */
export function readPlayerIdentity(text: string): { name: string; id: string } | undefined {
  if (text.length > 300 || !text.includes('UUID of player ')) return undefined
  const [, name, id] = IDENTITY.exec(text.replace(TERMINAL_CODES, '').trim()) ?? []
  return name === undefined || id === undefined ? undefined : { name, id }
}
