/** Jobs of a service under test. */
import { jobSchema, type Job } from '@wakestone/protocol/files'
import type { createClient } from './service.ts'

export type Client = ReturnType<typeof createClient>

export async function startJob({ ask }: Client, body: object): Promise<Job> {
  const { status, json } = await ask('POST', '/v1/jobs', { body })
  if (status !== 202) throw new Error(JSON.stringify(json))
  return jobSchema.parse(json)
}

/** Waits for its end. */
export async function followJob({ ask }: Client, { id }: Job): Promise<Job> {
  const { lines } = await ask('GET', `/v1/jobs/${id}/stream`)
  return jobSchema.parse(lines.at(-2))
}

export const runJob = async (client: Client, body: object): Promise<Job> =>
  followJob(client, await startJob(client, body))
