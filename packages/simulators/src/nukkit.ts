/** The repository that Nukkit's snapshots lie in, as Maven repositories are laid out. */
import { file, type Answer, type Service } from './mojang.ts'
import { makeRakNetServer } from './stand-ins.ts'

const folder = '/maven-snapshots/cn/nukkit/nukkit/1.0-SNAPSHOT'

export function createNukkit(): Service {
  const name = 'nukkit-1.0-20260801.120000-1190.jar'
  const metadata = `<?xml version="1.0" encoding="UTF-8"?>
<metadata modelVersion="1.1.0">
  <groupId>cn.nukkit</groupId>
  <artifactId>nukkit</artifactId>
  <version>1.0-SNAPSHOT</version>
  <versioning>
    <snapshot>
      <timestamp>20260801.120000</timestamp>
      <buildNumber>1190</buildNumber>
    </snapshot>
    <lastUpdated>20260801120000</lastUpdated>
  </versioning>
</metadata>
`
  const answers = new Map<string, Answer>([
    [`${folder}/maven-metadata.xml`, { status: 200, type: 'application/xml', body: Buffer.from(metadata) }],
    [
      `${folder}/${name}`,
      file(makeRakNetServer({ name: 'Nukkit', version: '1.0-SNAPSHOT', game: '1.21.80', file: name })),
    ],
  ])
  return (path) => answers.get(path) ?? null
}
