/** Bedrock Dedicated Server, by its maker's list of downloads. */
import { GAME_PORTS } from '@wakestone/bedrock/joining'
import { DomainError } from '@wakestone/contract/errors'
import type { Launch } from '@wakestone/packager/manifest'
import { z } from 'zod'
import type { Digests } from './digests.ts'
import type { EngineAdapter } from './engine.ts'
import { sealEngine } from './engine-manifest.ts'
import { checkAddress, fetchJson, type Cache, type Upstream } from './upstream.ts'

const linksSchema = z.object({
  result: z.object({ links: z.array(z.object({ downloadType: z.string().max(64), downloadUrl: z.url().max(500) })) }),
})

/**
 * The server looks for its own packs in the folder it runs in, and takes its port from the settings alone. What the
 * owner has put in a pack's place stays.
 */
const START = `set -e
for part in behavior_packs resource_packs definitions data config; do
  if [ -d "$1/$part" ] && { [ ! -e "$part" ] || [ -L "$part" ]; }; then ln -sfn "$1/$part" "$part"; fi
done
touch server.properties
sed -i -e '/^server-port=/d' -e '/^server-portv6=/d' -e '/^server-udp-ports=/d' server.properties
[ -z "$(tail -c 1 server.properties)" ] || echo >> server.properties
printf 'server-port=%s\\nserver-portv6=%s\\nserver-udp-ports=%s\\n' "$2" "$(($2 + 1))" "$3" >> server.properties
exec "$1/bedrock_server"
`

const UDP_PORTS = `${GAME_PORTS.first}-${GAME_PORTS.last}`

const launch: Launch = {
  command: ['/bin/sh', '-c', START, 'bedrock', '{DIR:bedrock-dedicated}', '{PORT}', UDP_PORTS],
  env: { LD_LIBRARY_PATH: '{DIR:bedrock-dedicated}' },
  stopCommand: 'stop',
  probe: 'bedrock',
}

type Options = { linksUrl: string; upstream: Upstream; cache: Cache; digests: Digests }

export function createBedrockDedicatedAdapter({ linksUrl, upstream, cache, digests }: Options): EngineAdapter {
  /** The maker offers one version, its newest. */
  async function readOffer(): Promise<{ version: string; url: string } | null> {
    const answer = await cache.get(linksUrl, () => fetchJson(upstream, { url: linksUrl, schema: linksSchema }))
    const link = answer?.result.links.find(({ downloadType }) => downloadType === 'serverBedrockLinux')
    const version = /bedrock-server-(\d{1,4}(?:\.\d{1,4}){2,3})\.zip$/.exec(link?.downloadUrl ?? '')?.[1]
    return link && version !== undefined ? { version, url: checkAddress(link.downloadUrl, linksUrl) } : null
  }

  return {
    id: 'bedrock-dedicated',
    name: 'Bedrock Dedicated Server',
    async listVersions() {
      const offer = await readOffer()
      return offer && { latest: offer.version, versions: [{ id: offer.version, type: 'release' }] }
    },
    async resolveBuild(version) {
      const offer = await readOffer()
      if (offer?.version !== version)
        throw new DomainError('engine_version_not_found', { engine: 'bedrock-dedicated', version })
      const { sha256, size } = await digests.of({ name: `bedrock-dedicated-${version}`, url: offer.url })
      const manifest = sealEngine({
        id: 'bedrock-dedicated',
        version,
        minecraft: version,
        game: 'minecraft-bedrock',
        files: [{ name: 'server.zip', url: offer.url, hash: `sha256:${sha256}`, size, unpack: 'zip' }],
      })
      return { manifest, java: null, files: [], launch }
    },
  }
}
