/** What a Bedrock server says of itself in a pong: fields with a semicolon after each. */

export type BedrockStatus = {
  motd: string
  /** Second line, which only the list of local servers shows. */
  subMotd: string
  protocol: number
  version: string
  online: number
  max: number
  serverId: string
  gamemode: string
}

/** Clients pass over longer texts. */
const MOST_CHARACTERS = 100

/** @returns undefined when it is another edition's, or none */
export function parseBedrockStatus(text: string): BedrockStatus | undefined {
  // A semicolon within a field has a backslash before it.
  const fields =
    text.match(/(?:\\.|[^;\\])*(?:;|$)/gs)?.map((field) => field.replace(/;$/, '').replace(/\\(.)/gs, '$1')) ?? []
  const [edition, motd, protocol, version, online, max, serverId, subMotd, gamemode] = fields
  if (edition !== 'MCPE' && edition !== 'MCEE') return undefined
  if (motd === undefined || protocol === undefined || version === undefined || max === undefined) return undefined
  return {
    motd,
    subMotd: subMotd ?? '',
    protocol: count(protocol),
    version,
    online: count(online),
    max: count(max),
    serverId: serverId ?? '0',
    gamemode: gamemode ?? 'Survival',
  }
}

/** @param port where players reach the server */
export function formatBedrockStatus(status: BedrockStatus, port: number): string {
  const { motd, subMotd, protocol, version, online, max, serverId, gamemode } = status
  const fields = ['MCPE', motd, protocol, version, online, max, serverId, subMotd, gamemode, 1, port, port]
  return fields.map((field) => `${clean(String(field))};`).join('')
}

function count(text: string | undefined): number {
  const value = Number(text)
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : 0
}

// oxlint-disable-next-line no-control-regex
const clean = (text: string) => [...text.replace(/[;\\\u0000-\u001f\u007f]/g, ' ')].slice(0, MOST_CHARACTERS).join('')
