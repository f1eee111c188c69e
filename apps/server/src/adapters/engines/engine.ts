/** What an engine is to the catalogue. */
import type { engineSchema } from '@wakestone/contract/servers/server'
import type { InstallPlan, Launch, Manifest } from '@wakestone/packager/manifest'
import type { z } from 'zod'

export type Engine = z.infer<typeof engineSchema>

export type EngineVersions = Pick<Engine, 'latest' | 'versions'>

export type EngineBuild = {
  manifest: Manifest
  launch: Launch
  /** Files of this engine alone, besides those every server of its game gets. */
  files: InstallPlan['files']
  /** What a new server is set up with, where that is not the `server.properties` of its game. */
  settings?: (wish: { motd: string; players: number | null }) => InstallPlan['files']
  /** Major version of the Java to bring along; null: none. */
  java: number | null
  /** It compiles: the Java has to come with its compiler. */
  needsCompiler?: boolean
}

export type EngineAdapter = {
  id: Engine['id']
  name: string
  /** @returns null when this installation cannot offer the engine */
  listVersions(): Promise<EngineVersions | null>
  /** @throws DomainError `engine_version_not_found`, `engine_catalogue_unavailable` */
  resolveBuild(version: string): Promise<EngineBuild>
}
