// `npm run bench [name …] [-- --option …]`: runs every bench/*.ts in turn and prints their figures as one table.
// A bench prints one JSON line per figure: `{name, value, unit, reach, ok}`, the last two where something is to be reached;
// other lines are shown as they come.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setUp } from './setup.mjs'
import { node24, root, withTools } from './setup/run.mjs'

await setUp({ system: ['bubblewrap', 'chromium'], web: true })

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort()

const figures = []
const broken = []
for (const name of names) {
  console.log(`\n${name}`)
  const status = await runBench(name)
  if (status !== 0) broken.push(name)
}

const markOf = ({ ok }) => (ok === undefined ? '·' : ok ? '✓' : '✗')
const rows = figures.map((figure) => {
  const { name, value, unit, reach = '' } = figure
  return [markOf(figure), name, `${value} ${unit}`, reach]
})
console.log(`\n${layOut([['', 'What', 'Figure', 'Reach'], ...rows])}`)
for (const name of broken) console.log(`✗ bench/${name}.ts broke off`)
process.exit(broken.length === 0 && figures.every(({ ok }) => ok !== false) ? 0 : 1)

function runBench(name) {
  const child = spawn(node24, [join(root, 'bench', `${name}.ts`), ...options], {
    cwd: root,
    env: withTools(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const figure = readFigure(line)
    if (figure) figures.push(figure)
    console.log(figure ? `  ${markOf(figure)} ${figure.name}: ${figure.value} ${figure.unit}` : `  ${line}`)
  })
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)))
}

function readFigure(line) {
  try {
    const figure = JSON.parse(line)
    return typeof figure?.name === 'string' && 'value' in figure ? figure : undefined
  } catch {
    return undefined
  }
}

function layOut(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  return table
    .map((row) =>
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
