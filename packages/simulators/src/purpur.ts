/** Purpur's API, version 2: builds by number, of which some have failed. */
import { createHash } from 'node:crypto'
import { file, json, type Answer, type Service } from './mojang.ts'
import { makeServerJar } from './stand-ins.ts'

const versions = [
  { id: '1.20.4', protocol: 765, builds: ['2170', '2176'], failed: [] as string[] },
  { id: '1.21.4', protocol: 769, builds: ['2415', '2416', '2417'], failed: ['2417'] },
]

export function createPurpur(): Service {
  const documents = new Map<string, Answer>()
  documents.set('/v2/purpur', json({ project: 'purpur', versions: [...versions.map(({ id }) => id), '1.22-rc1'] }))
  for (const { id, protocol, builds, failed } of versions) {
    documents.set(
      `/v2/purpur/${id}`,
      json({ project: 'purpur', version: id, builds: { latest: builds.at(-1), all: builds } }),
    )
    const jar = makeServerJar({ engine: 'paper', version: id, protocol })
    const md5 = createHash('md5').update(jar.content).digest('hex')
    for (const build of builds) {
      const result = failed.includes(build) ? 'FAILURE' : 'SUCCESS'
      documents.set(
        `/v2/purpur/${id}/${build}`,
        json({ project: 'purpur', version: id, build, result, timestamp: 0, md5, commits: [] }),
      )
      if (result === 'SUCCESS') documents.set(`/v2/purpur/${id}/${build}/download`, file(jar))
    }
  }
  return (path) => documents.get(path) ?? null
}
