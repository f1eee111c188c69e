/** Writes docs/settings.md from the table of settings: `node scripts/settings-doc.ts`. */
import { writeFileSync } from 'node:fs'
import { settingsTable } from '@wakestone/kit/settings'

const file = new URL('../docs/settings.md', import.meta.url)

/** The page as it should be. */
export function describeSettings(): string {
  const settings = Object.entries(settingsTable).map(([name, setting]) => ({ name, fallback: undefined, ...setting }))
  const groups = Map.groupBy(settings, ({ group }) => group)
  const tables = [...groups].map(([group, members]) => {
    const rows = members.map(
      ({ name, takes, fallback, about }) =>
        `| \`${name}\` | ${takes} | ${fallback === undefined ? '' : `\`${fallback}\``} | ${about} |`,
    )
    return [`## ${group}`, '', '| Variable | Takes | Default | |', '|---|---|---|---|', ...rows, ''].join('\n')
  })
  const head = `# Settings

All settings are environment variables, read when a part starts. An invalid value is reported, and the part exits with status 2.
This page is generated from \`packages/kit/src/settings.ts\` by \`node scripts/settings-doc.ts\`.
`
  return [head, ...tables].join('\n')
}

if (import.meta.main) writeFileSync(file, describeSettings())
