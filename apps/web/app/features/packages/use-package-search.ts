/** Packages of all sources, as they are found: each source answers when it can, and one that is away takes nothing else with it. */
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import {
  type PackageHit,
  packageSearchLineSchema,
  type PackageSource,
  packageSources,
  type searchPackagesQuery,
} from '@wakestone/contract/servers/package-search'
import { searchPackages } from '@wakestone/contract/servers/packages-routes'
import { ApiError, pathOf } from '@wakestone/contract/client'
import { errorBodySchema } from '@wakestone/contract/errors'
import { sendToApi } from '#app/api/client.ts'

export type PackageSearch = {
  hits: readonly PackageHit[]
  /** Those that have not ended yet. */
  waiting: readonly PackageSource[]
  away: readonly PackageSource[]
  hasMore: boolean
  /** Something that could fit is being checked. */
  isChecking: boolean
  isDone: boolean
  error: unknown
}

const nothing: PackageSearch = {
  hits: [],
  waiting: [],
  away: [],
  hasMore: false,
  isChecking: false,
  isDone: false,
  error: undefined,
}

/** Lines of a stream as they come; one that was cut off is left out. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    rest += decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}

/** What is known after one more line. */
export function withLine(before: PackageSearch, text: string): PackageSearch {
  const parsed = packageSearchLineSchema.safeParse(JSON.parse(text))
  if (!parsed.success) return before // of a newer server
  const line = parsed.data
  if ('end' in line) return { ...before, waiting: [], isDone: true }
  if ('hit' in line) return { ...before, hits: [...before.hits, line.hit] }
  return {
    ...before,
    waiting: before.waiting.filter((source) => source !== line.source),
    away: line.error === undefined ? before.away : [...before.away, line.source],
    hasMore: before.hasMore || line.has_more,
    isChecking: before.isChecking || line.is_checking === true,
  }
}

async function search(
  query: z.input<typeof searchPackagesQuery>,
  signal: AbortSignal,
  tell: (found: PackageSearch) => void,
) {
  const asked = query.sources?.split(',')
  let found: PackageSearch = {
    ...nothing,
    waiting: packageSources.filter((source) => asked === undefined || asked.includes(source)),
  }
  tell(found)
  const response = await sendToApi(pathOf(searchPackages, { query }), { signal })
  if (!response.ok || response.body === null)
    throw new ApiError(response.status, errorBodySchema.parse(await response.json()))
  for await (const line of readLines(response.body)) tell((found = withLine(found, line)))
  if (!found.isDone) tell({ ...found, waiting: [], isDone: true })
}

/** Searches anew whenever the query is another one. */
export function usePackageSearch(query: z.input<typeof searchPackagesQuery>): PackageSearch & { retry: () => void } {
  const [tries, setTries] = useState(0)
  const key = `${JSON.stringify(query)} ${tries}`
  const [state, setState] = useState<{ key: string; found: PackageSearch }>({ key, found: nothing })
  useEffect(() => {
    const leaving = new AbortController()
    const tell = (found: PackageSearch) => !leaving.signal.aborted && setState({ key, found })
    search(query, leaving.signal, tell).catch((error: unknown) => tell({ ...nothing, isDone: true, error }))
    return () => leaving.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- the key says all that the query does
  }, [key])
  const found = state.key === key ? state.found : nothing
  return { ...found, retry: () => setTries(tries + 1) }
}
