// Writes docs/licences.md from the lockfile, or with `--check` ends with status 1 where it is not current:
//
//   node scripts/licences-doc.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs'
import { describeShipped } from '../deploy/docker/shipped.mjs'
import { readPackages } from './setup/lockfile.mjs'

const file = new URL('../docs/licences.md', import.meta.url)

/** Of packages that name none where npm looks for it, as their own files say. */
const fromTheirFiles = {
  buildcheck: 'MIT',
  'combine-errors': 'MIT',
  'cpu-features': 'MIT',
  'png-js': 'MIT',
  ssh2: 'MIT',
}

/** The page as it should be. @throws where a package names no licence */
function describeLicences() {
  const { components } = describeShipped(readPackages())
  const groups = Map.groupBy(components, licenceOf)
  const rows = [...groups]
    .toSorted(([one, few], [other, many]) => many.length - few.length || (one < other ? -1 : 1))
    .map(([licence, members]) => {
      const names = members.map(({ name, version }) => `[${name}](https://www.npmjs.com/package/${name}) ${version}`)
      return `## ${licence}\n\n${names.join(', ')}\n`
    })
  return [head, ...rows].join('\n')
}

function licenceOf({ name, version, licenses }) {
  const licence = licenses?.[0].license.name ?? fromTheirFiles[name]
  if (licence === undefined) throw new Error(`${name} ${version} names no licence: read its files`)
  return licence
}

const head = `# Licences

Wakestone itself is under the MIT licence. Below is every package that a production installation includes, whether installed or built into one of our programs, under its licence. Each package's own folder contains the text of its licence and its authors' names.

A package that is needed only on another kind of machine is listed, too. Programs from the system's packages (restic, bubblewrap, MariaDB and others) are not part of Wakestone and keep their own licences. The image carries the same list in CycloneDX form as \`sbom/wakestone.cdx.json\`.

This page is generated from \`package-lock.json\` by \`node scripts/licences-doc.mjs\`.
`

const page = describeLicences()
if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (readFileSync(file, 'utf8') !== page) process.exitCode = 1
