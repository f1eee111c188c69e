/** Accounts of Java players by their names, as Mojang knows them. */
import { DomainError } from '@wakestone/contract/errors'
import { z } from 'zod'

const profileSchema = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), name: z.string().regex(/^\w{1,16}$/) })
const timeoutMilliseconds = 5_000
const mostBytes = 16 * 1024

export type Profile = { id: string; name: string }

/**
 * @param base address before `/NAME`
 * @returns undefined where nobody is called that
 * @throws DomainError minecraft_profiles_unavailable
 */
export async function findProfile(base: string, name: string): Promise<Profile | undefined> {
  try {
    const response = await fetch(`${base}/${encodeURIComponent(name)}`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    })
    // Both are said of names that nobody has.
    if (response.status === 404 || response.status === 204) return void (await response.body?.cancel())
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { id, name: told } = profileSchema.parse(JSON.parse(await readMost(response)))
    return { id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), name: told }
  } catch (error) {
    const refusal = new DomainError('minecraft_profiles_unavailable', { resource: 'minecraft_profile' })
    refusal.cause = error
    throw refusal
  }
}

async function readMost(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new Error('answer too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
