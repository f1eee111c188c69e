/** The engines a server can be made with, and the plan that brings one onto a volume. */
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { gameOfEngine } from '@wakestone/contract/servers/server'
import type { Logger } from '@wakestone/kit/logger'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { buildInstallPlan } from '@wakestone/packager/plan'
import { createBedrockDedicatedAdapter } from './bedrock-dedicated.ts'
import type { Engine, EngineAdapter } from './engine.ts'
import { createJavaCatalogue } from './java.ts'
import { createDigests } from './digests.ts'
import { createFabricAdapter } from './fabric.ts'
import { createForgeAdapter, createNeoForgeAdapter } from './forge.ts'
import { createGitHubReleases } from './github.ts'
import { createMojangReleases } from './mojang.ts'
import { createFlyingSquidAdapter, createSerenityAdapter } from './own-engines.ts'
import { createNukkitAdapter, createPowerNukkitXAdapter } from './nukkit.ts'
import { createOwnJarAdapter } from './own-jar.ts'
import { createPaperAdapter } from './paper.ts'
import { createPocketMineAdapter } from './pocketmine.ts'
import { createPurpurAdapter } from './purpur.ts'
import { bedrockFiles, serverFiles } from './server-files.ts'
import { createSpigotAdapter } from './spigot.ts'
import { createCache, type Upstream } from './upstream.ts'
import { createVanillaAdapter } from './vanilla.ts'

export type EngineRequest = {
  engine: Engine['id']
  version: string
  serverName: string
  /** Text of the server list; unset: the server's name. */
  motd?: string
  /** Most players at a time; null: as the engine has it. */
  players: number | null
}

export type EngineCatalogue = {
  /** Engines that can be had now. One whose catalogue does not answer in time is left out until it does. */
  listEngines(): Promise<Engine[]>
  /**
   * The plan for a new server, or for one that changes its engine. The same request gives the same plan until the
   * upstream publishes something newer, so keep the plan, not the request.
   * @throws DomainError `engine_version_not_found`, `engine_catalogue_unavailable`
   */
  resolveEngine(request: EngineRequest): Promise<InstallPlan>
}

type Options = {
  settings: Pick<
    Settings,
    | 'MOJANG_META_URL'
    | 'PAPER_FILL_URL'
    | 'PURPUR_URL'
    | 'FABRIC_META_URL'
    | 'QUILT_META_URL'
    | 'FORGE_FILES_URL'
    | 'FORGE_MAVEN_URL'
    | 'NEOFORGE_MAVEN_URL'
    | 'BEDROCK_LINKS_URL'
    | 'SPIGOT_HUB_URL'
    | 'NUKKIT_MAVEN_URL'
    | 'GITHUB_API_URL'
    | 'ADOPTIUM_URL'
    | 'DATA_DIR'
    | 'ADMIN_EMAIL'
    | 'PUBLIC_URL'
    | 'HTTP_PORT'
  >
  /** Where supervisors reach our own artifacts, without a trailing slash. */
  artifactUrl: string
  timeoutMs?: number
  /** Longest that a list may wait for an upstream. */
  listPatienceMs?: number
  cacheMs?: number
  logger?: Pick<Logger, 'warn'>
}

const HOUR = 3_600_000

export function createEngineCatalogue(options: Options): EngineCatalogue {
  const { settings, artifactUrl, timeoutMs = 15_000, listPatienceMs = 3000, cacheMs = HOUR, logger } = options
  const upstream: Upstream = {
    userAgent: `Wakestone/0.1.0 (${publicUrl(settings as Settings)}; ${settings.ADMIN_EMAIL})`,
    timeoutMs,
  }
  const cache = createCache({ ttlMs: cacheMs, retryMs: Math.min(cacheMs, 20_000) })
  const artifactDir = join(settings.DATA_DIR, 'artifacts')
  const own = [createFlyingSquidAdapter, createSerenityAdapter].map((create) => create({ artifactDir, artifactUrl }))
  const digests = createDigests({ folder: join(settings.DATA_DIR, 'digests'), upstream })
  const mojang = createMojangReleases({ manifestUrl: settings.MOJANG_META_URL, upstream, cache })
  const asked = { upstream, cache, digests }
  const github = createGitHubReleases({ apiUrl: settings.GITHUB_API_URL, ...asked })
  const foreign: EngineAdapter[] = [
    createPaperAdapter('paper', { fillUrl: settings.PAPER_FILL_URL, upstream, cache }),
    createPurpurAdapter({ apiUrl: settings.PURPUR_URL, ...asked }),
    createFabricAdapter('fabric', { metaUrl: settings.FABRIC_META_URL, mojang, ...asked }),
    createNeoForgeAdapter({ mavenUrl: settings.NEOFORGE_MAVEN_URL }, asked),
    createForgeAdapter({ filesUrl: settings.FORGE_FILES_URL, mavenUrl: settings.FORGE_MAVEN_URL }, asked),
    createFabricAdapter('quilt', { metaUrl: settings.QUILT_META_URL, mojang, ...asked }),
    createPaperAdapter('folia', { fillUrl: settings.PAPER_FILL_URL, upstream, cache }),
    createSpigotAdapter({ hubUrl: settings.SPIGOT_HUB_URL, mojang, ...asked }),
    createVanillaAdapter({ mojang }),
    createOwnJarAdapter({ mojang }),
    createPaperAdapter('velocity', { fillUrl: settings.PAPER_FILL_URL, upstream, cache }),
    createBedrockDedicatedAdapter({ linksUrl: settings.BEDROCK_LINKS_URL, ...asked }),
    createPocketMineAdapter({ github }),
    createNukkitAdapter({ mavenUrl: settings.NUKKIT_MAVEN_URL, ...asked }),
    createPowerNukkitXAdapter({ github }),
  ]
  const javas = createJavaCatalogue({ adoptiumUrl: settings.ADOPTIUM_URL, upstream, cache })

  async function listEngine(
    { id, name, listVersions }: EngineAdapter,
    patienceMs: number | null,
  ): Promise<Engine | null> {
    const listed = listVersions().catch((error: unknown) => {
      logger?.warn({ error, engine: id }, 'engine cannot be listed')
      return null
    })
    const versions = await (patienceMs === null ? listed : withPatience(listed, patienceMs))
    return versions && { id, name, ...versions }
  }

  return {
    async listEngines() {
      const engines = await Promise.all([
        ...own.map((adapter) => listEngine(adapter, null)),
        ...foreign.map((adapter) => listEngine(adapter, listPatienceMs)),
      ])
      return engines.filter((engine) => engine !== null)
    },
    async resolveEngine({ engine, version, serverName, motd, players }) {
      const adapter = [...own, ...foreign].find(({ id }) => id === engine)
      if (!adapter) throw new DomainError('engine_version_not_found', { engine, version })
      const build = await adapter.resolveBuild(version)
      const java =
        build.java === null ? undefined : await javas.resolveJava(build.java, build.needsCompiler ? 'jdk' : 'jre')
      const wish = { motd: motd ?? serverName, players }
      return buildInstallPlan({
        engine: build.manifest,
        java,
        packages: [],
        files: [
          ...(build.settings?.(wish) ??
            (gameOfEngine[engine] === 'minecraft-bedrock'
              ? bedrockFiles(wish)
              : serverFiles({ ...wish, needsEula: engine !== 'flying-squid' }))),
          ...build.files,
        ],
        launch: build.launch,
      })
    },
  }
}

/** The value, or null when it takes too long; its loading goes on and fills the cache. */
async function withPatience<Value>(value: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds)
  })
  try {
    return await Promise.race([value, patience])
  } finally {
    clearTimeout(timer)
  }
}
