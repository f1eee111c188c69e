/** Where releases of packages come from. */
import type { Language } from '@wakestone/contract/primitives'
import type { PackageHit, PackageKind, PackageProject, PackageSource } from '@wakestone/contract/servers/package-search'
import type { Game } from '@wakestone/contract/servers/server'
import type { Manifest } from '@wakestone/packager/manifest'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'

/** On what a package would be installed. */
export type SourceContext = {
  game: Game
  /** Name of the engine, such as `paper`. */
  engine: string
  /** What the engine loads, the closest first: `paper`, `spigot`, `bukkit`. */
  loaders: readonly string[]
  /** Null: not known. */
  gameVersion: string | null
  /** Who asks: sees private releases of projects that they work on. Null: everybody. */
  userId: string | null
  /** What is asked for: of what is dear to read, a source reads the releases that are meant by it. */
  wanted?: readonly Selector[]
}

export type SourceQuery = {
  /** Empty: the most wanted. */
  text: string
  /** Undefined: any. */
  kinds: readonly PackageKind[] | undefined
  /** Only what has a release for one of these; undefined: any. */
  loaders: readonly string[] | undefined
  gameVersion: string | undefined
  /** In which people read. */
  language: Language
}
export type SourcePage = { offset: number; limit: number }

/** Without what only the server knows. */
export type Hit = Omit<PackageHit, 'source' | 'installed' | 'fits'>
/**
 * `total` null: the source does not say. Fewer hits than `limit` may come while there are more. `isChecking`: something
 * that would fit is being checked, and may be found soon.
 */
export type HitPage = { hits: Hit[]; hasMore: boolean; total: number | null; isChecking?: boolean }

/** As the source says it; whoever shows it cleans it. */
export type ToldText = { format: 'markdown' | 'html'; text: string }
export type SourceProject = Omit<PackageProject, 'source' | 'installed' | 'fits' | 'releases' | 'html'> & {
  description: ToldText
  releases: (Omit<PackageProject['releases'][number], 'fits' | 'html'> & { changes: ToldText | null })[]
}

/** A package's title, under the id that was asked for. */
export type SourceHead = Pick<Hit, 'title' | 'icon_url' | 'kind'> & { id: string }

export type GivenPack = {
  /** Text of the list in it. */
  list: string
  /** What the package is called, by what the pack calls itself. */
  nameOf: (title: string) => string
  archive: { name: string; url: string; hash: string; size: number }
}

/**
 * Every call ends with `signal` and throws `SourceUnavailableError` where the source does not answer, or answers what it
 * should not; what is not there is no error. Answers are cached, and rates kept, by the source itself.
 */
export type Source = {
  /** Names of its packages begin with it and a colon; those of our own need no such beginning. */
  id: PackageSource
  /** For people. A filter that the source cannot apply is applied to what it answers. */
  search(query: SourceQuery, page: SourcePage, signal: AbortSignal): Promise<HitPage>
  /** For people. @param id as in the package's name, behind the colon */
  project(id: string, context: SourceContext | null, signal: AbortSignal): Promise<SourceProject | undefined>
  /** Titles of many projects in one call. Missing: `project` is asked for each. @param ids as in `project` */
  heads?(ids: readonly string[], signal: AbortSignal): Promise<SourceHead[]>
  /**
   * For the solver: releases of what is called so, and of what says that it provides that name; in any order. Their
   * manifests are whole, with addresses and hashes of their files.
   * @param name whole, with the source's beginning
   */
  versions(name: string, context: SourceContext, signal: AbortSignal): Promise<Candidate[]>
  /** Whether what a server has is malice, as is known by now. Missing: the source does not say. */
  refused?(manifest: Manifest): Promise<boolean>
  /**
   * A pack of its kind that came from elsewhere. Missing: it has none whose list it alone can read.
   * @throws PackError
   */
  sealPack?(pack: GivenPack, signal: AbortSignal): Promise<{ manifest: Manifest; title: string }>
  /**
   * Files that are handed out to nobody but us, by a key for one: supervisors fetch those from us, at an address that is
   * signed for them, and we pass on what `open` reads. Missing: supervisors fetch all of them where the manifest says.
   */
  through?: {
    /** Whether an address of a manifest is one of these. */
    covers(url: string): boolean
    open(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  }
}

/** It does not answer, or not as it should. */
export class SourceUnavailableError extends Error {
  readonly source: PackageSource
  constructor(source: PackageSource, options?: ErrorOptions & { reason?: string }) {
    super(`${source} does not answer${options?.reason === undefined ? '' : `: ${options.reason}`}`, options)
    this.source = source
  }
}

/** `vault` → wakestone and vault; `modrinth:abc` → modrinth and abc. */
export function splitPackageName(name: string): { source: string; id: string } {
  const match = /^([a-z]+):(.+)$/.exec(name)
  return match ? { source: match[1]!, id: match[2]! } : { source: 'wakestone', id: name }
}
