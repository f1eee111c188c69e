/** What a control plane that does not know of frozen games is told. */
import type { IncomingMessage } from 'node:http'
import { FREEZING_VERSION, readVersions, versionHeader } from '@wakestone/protocol/versions'

export const knowsFreezing = (request: IncomingMessage) =>
  readVersions(request.headers[versionHeader]).newest >= FREEZING_VERSION

/** Numbers have no gaps, so what it could not read becomes what changes nothing: nobody has left. */
export function withoutFreezing(line: string): string {
  const { seq, at, type, from, status } = JSON.parse(line) as Record<string, unknown>
  const phase = (status as { phase?: unknown } | undefined)?.phase
  const isNew = type === 'awake' || type === 'face' || type === 'door'
  const isFreezing = type === 'phase' && (phase === 'frozen' || (phase === 'running' && from === 'frozen'))
  return isNew || isFreezing ? JSON.stringify({ seq, at, type: 'player_left', name: '' }) : line
}
