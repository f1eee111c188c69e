/** Lists that are told line by line, for as long as their reader stays and may have them. */
import type { FastifyReply } from 'fastify'
import type { Held } from './held-right.ts'

/** @param open begins the list; what it is given ends it. */
export async function tellLines(
  reply: FastifyReply,
  held: Held,
  open: (signal: AbortSignal) => Promise<AsyncIterable<string>>,
): Promise<AsyncIterable<string>> {
  const leaving = new AbortController()
  reply.raw.once('close', () => {
    held.close()
    leaving.abort()
  })
  if (reply.raw.destroyed) leaving.abort()
  try {
    return await open(AbortSignal.any([leaving.signal, held.signal]))
  } catch (error) {
    held.close()
    throw error
  }
}
