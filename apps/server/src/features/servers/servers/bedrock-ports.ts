/** Each server of Bedrock Edition has a port of its own at the gateway. */
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import type { Transaction } from '#src/db/client.ts'
import { takeBedrockPort } from './wanted-repo.ts'

/**
 * Gives the lowest port that is free. A server that goes leaves its own to another.
 * @throws DomainError `service_unavailable` when all are taken
 */
export async function giveBedrockPort(
  trx: Transaction,
  serverId: string,
  { BEDROCK_PORTS }: Pick<Settings, 'BEDROCK_PORTS'>,
): Promise<number> {
  const port = await takeBedrockPort(trx, serverId, BEDROCK_PORTS)
  if (port === undefined) throw new DomainError('service_unavailable', { reason: 'no free Bedrock port' })
  return port
}
