/** Adoptium's API, version 3: the newest release of a Java. */
import { file, json, type Service } from './mojang.ts'
import { makeJre } from './stand-ins.ts'

const majors = [8, 11, 17, 21, 25]

/** @param base address under which the service is reached, without a trailing slash */
export function createAdoptium(base: string): Service {
  const runtimes = new Map(
    majors.flatMap((major) => (['jre', 'jdk'] as const).map((kind) => [`${kind} ${major}`, makeJre(major, kind)])),
  )

  return (path, query) => {
    const asset = /^\/v3\/assets\/latest\/(\d+)\/hotspot$/.exec(path)
    if (asset) {
      const kind = query.get('image_type')
      const jre = runtimes.get(`${kind} ${Number(asset[1])}`)
      if (!jre || query.get('os') !== 'linux') return json([])
      const { name, size, sha256 } = jre
      const architecture = query.get('architecture')
      const release = `jdk-${asset[1]}.0.1+8`
      return json([
        {
          binary: {
            os: 'linux',
            architecture,
            image_type: kind,
            package: { name, link: `${base}/jre/${name}`, size, checksum: sha256 },
          },
          release_name: release,
          vendor: 'eclipse',
          version: { major: Number(asset[1]), semver: `${asset[1]}.0.1+8` },
        },
      ])
    }
    const found = [...runtimes.values()].find(({ name }) => path === `/jre/${name}`)
    return found ? file(found) : null
  }
}
