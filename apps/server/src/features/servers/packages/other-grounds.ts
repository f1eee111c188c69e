/** Other versions of a server's engine, so that an impossible wish can be answered by "with Minecraft 1.21.4". */
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'
import { requiredJava } from '@wakestone/packager/minecraft-version'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'

/** Versions that are offered, the newest ones. */
const mostVersions = 40

/**
 * Manifests that only say what they provide: nobody installs them, a change of the engine fetches its own.
 * @returns none where the catalogue does not answer, or knows one version alone
 */
export async function otherGrounds(engines: EngineCatalogue, ground: readonly Manifest[]): Promise<Manifest[]> {
  const engine = ground.find(({ labels }) => labels.kind === 'engine')
  const present = engine?.provides.find(({ name }) => name === 'minecraft')?.version
  if (engine === undefined || present !== engine.contentVersion || engine.labels.game !== 'minecraft-java') return []
  const listed = (await engines.listEngines()).find(({ id }) => id === engine.name)
  const versions = (listed?.versions ?? [])
    .filter(({ id, type }) => type === 'release' && id !== present)
    .slice(0, mostVersions)
    .map(({ id }) => id)
  const majors = new Set(versions.map((version) => requiredJava(version)))
  return [
    ...versions.map((version) => describeEngine(engine, { version, present })),
    ...[...majors].map((major) => describeJava(major)),
  ]
}

function describeEngine(engine: Manifest, { version, present }: { version: string; present: string }): Manifest {
  return sealManifest({
    ...engine,
    packageVersion: engine.versionFormat === 'minecraft' ? version : engine.packageVersion,
    contentVersion: version,
    dependencies: [{ name: 'java', expr: `>=${requiredJava(version)}` }],
    provides: engine.provides.map((offer) => (offer.version === present ? { ...offer, version } : offer)),
    downloadFiles: [],
  })
}

const describeJava = (major: number): Manifest =>
  sealManifest({
    manifestVersion: 1,
    name: `java-${major}`,
    packageVersion: String(major),
    contentVersion: String(major),
    versionFormat: 'number',
    subdir: '.',
    depends: [],
    dependencies: [],
    provides: [{ name: 'java', version: String(major) }],
    setEnv: [],
    labels: { kind: 'runtime' },
    filesHash: null,
    downloadFiles: [],
  })
