// `npm run bench [name | folder …] [-- --option …]`: runs every bench/*.ts, those named, or those of other folders, in
// turn, and prints their figures as one table.
// A bench prints one JSON line per figure: `{name, value, unit, reach, ok}`, the last two where something is to be reached;
// other lines are shown as they come.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setUp } from './setup.mjs'
import { sandboxTools } from './setup/system-tools.mjs'
import { node24, root, withTools } from './setup/run.mjs'

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const folders = asked.filter(isFolder)
const names = asked.filter((argument) => !isFolder(argument))
const ours = listBenches(join(root, 'bench'))
const unknown = names.filter((name) => !ours.some((file) => nameOf(file) === name))
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(', ')}: there are ${ours.map(nameOf).join(', ')}`)
  process.exit(2)
}
const wanted = ours.filter((file) => (asked.length === 0 ? true : names.includes(nameOf(file))))
// Those of other folders see to what they need.
const forOurs = {
  system: [...sandboxTools, 'chromium', 'nginx', 'openssh-server', 'openssh-client', 'unzip', 'wrk'],
  web: true,
  checkpoints: true,
}
await setUp({ everything: true, ...(wanted.length > 0 ? forOurs : {}) })

const figures = []
const broken = []
for (const file of [...wanted, ...folders.flatMap(listBenches)]) {
  console.log(`\n${nameOf(file)}`)
  const status = await runBench(file)
  if (status !== 0) broken.push(file)
}

const rows = figures.map((figure) => {
  const { name, value, unit, reach = '' } = figure
  return [markOf(figure), name, `${value} ${unit}`, reach]
})
console.log(`\n${layOut([['', 'What', 'Figure', 'Reach'], ...rows])}`)
for (const file of broken) console.log(`✗ ${relative(root, file)} broke off`)
process.exit(broken.length === 0 && figures.every(({ ok }) => ok !== false) ? 0 : 1)

function isFolder(path) {
  return path.includes('/') && existsSync(path) && statSync(path).isDirectory()
}

function listBenches(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => join(folder, file))
}

function nameOf(file) {
  return basename(file, '.ts')
}

function runBench(file) {
  const child = spawn(node24, [file, ...options], { cwd: root, env: withTools(), stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const figure = readFigure(line)
    if (figure) figures.push(figure)
    console.log(figure ? `  ${markOf(figure)} ${figure.name}: ${figure.value} ${figure.unit}` : `  ${line}`)
  })
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)))
}

function markOf({ ok }) {
  return ok === undefined ? '·' : ok ? '✓' : '✗'
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
