/** Thaws a frozen game by its supervisor itself, so that neither API nor worker nor database is needed for it. */
import { request } from 'node:http'
import type { ThawGrant } from '@wakestone/protocol/gateway'
import { throughAgent } from '@wakestone/protocol/tunnel'
import { formatVersions, protocolVersions, versionHeader } from '@wakestone/protocol/versions'

const MAX_ANSWER_BYTES = 256 * 1024

/**
 * Resolves once the game runs.
 * @throws when the supervisor cannot be reached, refuses, or has no running game.
 */
export function thawGame({ endpoint, ticket }: ThawGrant, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${ticket}`,
      'content-type': 'application/json',
      'content-length': 2,
      [versionHeader]: formatVersions(protocolVersions),
    }
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) }
    const path = '/v1/thaw'
    const call =
      endpoint.kind === 'unix'
        ? request({ ...options, agent: false, socketPath: endpoint.path, path })
        : endpoint.kind === 'agent'
          ? request({ ...options, ...throughAgent(endpoint, headers.authorization), path })
          : request(new URL(path, endpoint.url), { ...options, agent: false })
    call.on('error', reject)
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
        if (text.length > MAX_ANSWER_BYTES) call.destroy(new Error('the answer is too long'))
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200 && phaseOf(text) === 'running') resolve()
        else reject(new Error(`the supervisor answered ${response.statusCode}, phase ${phaseOf(text) ?? 'unknown'}`))
      })
    })
    call.end('{}')
  })
}

function phaseOf(text: string): string | undefined {
  try {
    const { phase } = JSON.parse(text) as { phase?: unknown }
    return typeof phase === 'string' ? phase.slice(0, 40) : undefined
  } catch {
    return undefined
  }
}
