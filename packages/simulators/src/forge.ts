/** Forge's promotions and installers, NeoForge's list of versions and installers. */
import { file, json, type Answer, type Service } from './mojang.ts'
import { makeInstaller } from './stand-ins.ts'

const protocols: Record<string, number> = {
  '26.1': 775,
  '26.1.2': 775,
  '1.21.4': 769,
  '1.21.1': 767,
  '1.20.4': 765,
  '1.16.5': 754,
}

const promotions = {
  '1.8.9-recommended': '11.15.1.2318',
  '1.16.5-latest': '36.2.42',
  '1.16.5-recommended': '36.2.34',
  '1.20.4-latest': '49.1.13',
  '1.21.4-latest': '54.1.0',
}
const neoForge = [
  '20.4.237',
  '21.1.1-beta',
  '21.1.77',
  '21.1.226',
  '21.4.156',
  '21.4.157-beta',
  '26.1.2.7-beta',
  '0.25w14craftmine.3-beta',
]

export function createForge(): Service {
  const documents = new Map<string, Answer>()
  documents.set('/net/minecraftforge/forge/promotions_slim.json', json({ homepage: '', promos: promotions }))
  for (const [key, forge] of Object.entries(promotions)) {
    const version = key.split('-')[0]!
    const build = `${version}-${forge}`
    const protocol = protocols[version]
    if (protocol === undefined) continue
    const folder = version === '1.16.5' ? null : `net/minecraftforge/forge/${build}`
    const installer = makeInstaller({ name: `forge-${build}`, folder, version, protocol })
    documents.set(`/net/minecraftforge/forge/${build}/${installer.name}`, file(installer))
  }
  documents.set('/api/maven/versions/releases/net/neoforged/neoforge', json({ isSnapshot: false, versions: neoForge }))
  for (const build of neoForge) {
    const version = { '20.4': '1.20.4', '21.1': '1.21.1', '21.4': '1.21.4', '26.1': '26.1.2' }[
      build.split('.').slice(0, 2).join('.')
    ]
    if (version === undefined) continue
    const folder = `net/neoforged/neoforge/${build}`
    const installer = makeInstaller({ name: `neoforge-${build}`, folder, version, protocol: protocols[version]! })
    documents.set(`/releases/net/neoforged/neoforge/${build}/${installer.name}`, file(installer))
  }
  return (path) => documents.get(path) ?? null
}
