/** The meta APIs of Fabric (version 2) and Quilt (version 3), with the repositories that they name. */
import { file, json, type Answer, type Service } from './mojang.ts'
import { makeLibrary } from './stand-ins.ts'

const games = ['26.2', '26.2-rc-1', '1.21.4', '1.20.4', '25w46a']

const loaders = {
  fabric: {
    prefix: '/v2/versions',
    // An early one stands first, as it does for some weeks.
    versions: [
      { version: '0.17.0-beta.1', stable: false },
      { version: '0.16.9', stable: true },
    ],
    mainClass: 'net.fabricmc.loader.impl.launch.knot.KnotServer',
    /** With and without digests, as the real list has them. */
    libraries: (game: string, loader: string) => [
      { name: 'org.ow2.asm:asm:9.7.1', hashed: true },
      { name: `net.fabricmc:intermediary:${game}`, hashed: false },
      { name: `net.fabricmc:fabric-loader:${loader}`, hashed: false },
    ],
  },
  quilt: {
    prefix: '/v3/versions',
    versions: [{ version: '0.28.0-beta.2' }, { version: '0.27.1' }],
    mainClass: 'org.quiltmc.loader.impl.launch.knot.KnotServer',
    libraries: (game: string, loader: string) => [
      { name: 'org.ow2.asm:asm:9.7.1', hashed: false },
      { name: `org.quiltmc:hashed:${game}`, hashed: false },
      { name: `org.quiltmc:quilt-loader:${loader}`, hashed: false },
    ],
  },
}

/** @param base address under which the service is reached, without a trailing slash */
export function createFabric(base: string): Service {
  const documents = new Map<string, Answer>()
  for (const [kind, { prefix, versions, mainClass, libraries }] of Object.entries(loaders)) {
    documents.set(`${prefix}/game`, json(games.map((version) => ({ version, stable: !/[a-z]/.test(version) }))))
    for (const game of games) {
      documents.set(`${prefix}/loader/${game}`, json(versions.map((loader) => ({ loader, intermediary: {} }))))
      for (const { version } of versions) {
        const list = libraries(game, version).map(({ name, hashed }) => {
          const [group = '', artifact = '', number = ''] = name.split(':')
          const library = makeLibrary(`${artifact}-${number}.jar`)
          documents.set(
            `/maven-${kind}/${group.replaceAll('.', '/')}/${artifact}/${number}/${library.name}`,
            file(library),
          )
          const { sha1, sha256, size } = library
          return { name, url: `${base}/maven-${kind}/`, ...(hashed && { sha1, sha256, size }) }
        })
        const profile = {
          id: `${kind}-loader-${version}-${game}`,
          inheritsFrom: game,
          type: 'release',
          mainClass,
          libraries: list,
        }
        documents.set(`${prefix}/loader/${game}/${version}/server/json`, json(profile))
      }
    }
  }
  return (path) => documents.get(path) ?? null
}
