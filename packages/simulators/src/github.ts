/** Releases on GitHub of what engines come from there, by its API. Files lie at another host, which their address leads to. */
import { file, json, type Answer, type Service } from './mojang.ts'
import { makePhp, makeRakNetServer, type StandIn } from './stand-ins.ts'

type Release = { tag: string; prerelease?: boolean; draft?: boolean; files: (StandIn & { digest?: boolean })[] }

function document(name: string, value: unknown): StandIn {
  const content = Buffer.from(JSON.stringify(value))
  return { name, content, sha1: '', sha256: '', size: content.length }
}

function pocketMine(version: string, game: string, php: string) {
  const phar = makeRakNetServer({ name: 'PocketMine-MP', version, game, file: 'PocketMine-MP.phar' })
  const about = { php_version: php, base_version: version, mcpe_version: game, is_dev: false, channel: 'stable' }
  return [phar, document('build_info.json', about)]
}

const jar = (version: string, name: string) =>
  makeRakNetServer({ name: 'PowerNukkitX', version, game: '1.21.80', file: name })

/** @param base address under which the service is reached, without a trailing slash */
export function createGitHub(base: string): Service {
  const documents = new Map<string, Answer>()
  let id = 0
  const add = (repository: string, releases: Release[]) => {
    const listed = releases.map(({ tag, prerelease = false, draft = false, files }) => ({
      tag_name: tag,
      name: tag,
      draft,
      prerelease,
      assets: files.map((one) => {
        id += 1
        const path = `/${repository}/releases/download/${tag}/${one.name}`
        // As there: whoever fetches is led on.
        documents.set(path, { ...json({}, 302), location: `${base}/github-production-release-asset/${id}/${one.name}` })
        documents.set(`/github-production-release-asset/${id}/${one.name}`, file(one))
        const digest = one.digest === true ? `sha256:${one.sha256}` : null
        return { id, name: one.name, size: one.size, digest, browser_download_url: `${base}${path}` }
      }),
    }))
    documents.set(`/repos/${repository}/releases`, json(listed))
  }
  add('pmmp/PocketMine-MP', [
    { tag: '5.29.0', draft: true, files: pocketMine('5.29.0', '1.21.90', '8.3.1') },
    { tag: '5.28.2-beta1', prerelease: true, files: pocketMine('5.28.2-beta1', '1.21.80', '8.3.1') },
    { tag: '5.28.1', files: pocketMine('5.28.1', '1.21.80', '8.3.1').map((one) => ({ ...one, digest: true })) },
    { tag: '5.20.0', files: pocketMine('5.20.0', '1.21.40', '8.2.0') },
    { tag: '4.24.0', files: pocketMine('4.24.0', '1.20.10', '8.1.0') },
    { tag: 'alpha-1', files: [] },
  ])
  add('pmmp/PHP-Binaries', [
    { tag: 'pm5-php-8.3-latest', files: [{ ...makePhp('8.3'), digest: true }] },
    { tag: 'pm5-php-8.2-latest', files: [makePhp('8.2')] },
  ])
  add('PowerNukkitX/PowerNukkitX', [
    { tag: 'snapshot', prerelease: true, files: [jar('snapshot', 'powernukkitx.jar')] },
    { tag: '3.0.1', files: [jar('3.0.1', 'powernukkitx.jar')] },
    { tag: '2.0.0', files: [jar('2.0.0', 'powernukkitx.jar')] },
  ])
  return (path) => documents.get(path) ?? null
}
