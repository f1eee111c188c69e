/**
 * What the home page costs the server; then Lighthouse's judgement of the public pages in every language, of the
 * documentation, a project and a customer's website, as a phone sees them: scores, script, layout shift, and requests to
 * other hosts before anyone consented to them.
 *
 *   npm run bench:web -- --pages=home,login --languages=pl --runs=1
 *
 * Scores are medians of the runs; the machine's load is shown beside each, since performance suffers from company.
 * Each figure is the worst of all languages.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import lighthouse, { type Result } from 'lighthouse'
import { languages } from '@wakestone/contract/primitives'
import { findChromium } from '../tests/support/browser.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { reportFigure } from './fixtures/figure.ts'
import { median } from './fixtures/median.ts'
import { reportPageLoad } from './fixtures/page-load.ts'
import { publishWebsite } from './fixtures/website.ts'

const addresses: Record<string, string> = {
  home: '',
  offers: '/offers',
  login: '/login',
  privacy: '/privacy-policy',
  docs: '/docs/guide/sleep',
  project: '/m/sample-quiet-nights',
}
/** A customer's website on a host of its own, in one language. */
const website = 'website'
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const scoreToReach = 95
const kilobytesToReach = 150

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: [...Object.keys(addresses), website].join(',') },
    languages: { type: 'string', default: languages.join(',') },
    runs: { type: 'string', default: '3' },
  },
})

type Figures = Record<(typeof categories)[number] | 'kilobytes' | 'shift' | 'foreign', number>

/** Starts a browser that Lighthouse can drive. */
async function startChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'ws-chromium-'))
  const child = spawn(
    findChromium(),
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // The whole group: helper processes would outlive it and keep the pipe open.
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', kill)
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Chromium ended')))
    createInterface(child.stderr).on('line', (line) => {
      const found = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
  })
  return {
    port,
    async stop() {
      kill()
      await ended
      child.stderr.destroy()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

async function inspect(url: string, port: number): Promise<Result> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
    onlyCategories: [...categories],
  })
  if (result === undefined) throw new Error(`Lighthouse says nothing about ${url}`)
  const { lhr } = result
  if (lhr.runtimeError !== undefined) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  return lhr
}

type Request = { url: string; resourceType?: string; transferSize?: number }
const requestsOf = (lhr: Result): Request[] => {
  const details = lhr.audits['network-requests']?.details
  return details?.type === 'table' ? (details.items as unknown as Request[]) : []
}

function figuresOf(lhr: Result, origin: string): Figures {
  const requests = requestsOf(lhr)
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script')
  const scores = categories.map((id) => [id, Math.round((lhr.categories[id]?.score ?? 0) * 100)])
  return {
    ...(Object.fromEntries(scores) as Record<(typeof categories)[number], number>),
    kilobytes: scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000,
    shift: lhr.audits['cumulative-layout-shift']?.numericValue ?? 1,
    foreign: foreignOf(requests, origin).length,
  }
}

const foreignOf = (requests: Request[], origin: string) =>
  requests.map(({ url }) => url).filter((url) => /^(?:http|ws)s?:/.test(url) && new URL(url).origin !== origin)

/** What costs a category its points. */
function faultsOf(lhr: Result): string[] {
  return categories
    .filter((id) => (lhr.categories[id]?.score ?? 0) * 100 < scoreToReach)
    .flatMap((id) => lhr.categories[id]?.auditRefs.filter(({ weight }) => weight > 0) ?? [])
    .map(({ id }) => lhr.audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map((audit) => {
      const details = audit!.details
      const items = details?.type === 'table' ? details.items.slice(0, 3).map((item) => JSON.stringify(item)) : []
      return [`${audit!.id}: ${audit!.title} ${audit!.displayValue ?? ''}`, ...items].join('\n      ')
    })
}

async function measure(name: string, language: string, url: string, port: number): Promise<Figures> {
  const { origin } = new URL(url)
  const runs: Figures[] = []
  for (let run = 0; run < Number(options.runs); run++) {
    const lhr = await inspect(url, port)
    const figures = figuresOf(lhr, origin)
    runs.push(figures)
    const scores = categories.map((id) => figures[id]).join(' ')
    console.log(`${name}, ${language}: ${scores}; ${figures.kilobytes.toFixed(1)} kB; load ${loadavg()[0]?.toFixed(1)}`)
    for (const fault of faultsOf(lhr)) console.log(`    ${fault}`)
    for (const other of foreignOf(requestsOf(lhr), origin)) console.log(`    asks ${other}`)
  }
  const middle = (key: keyof Figures) => median(runs.map((figures) => figures[key]))
  const most = (key: keyof Figures) => Math.max(...runs.map((figures) => figures[key]))
  return {
    ...(Object.fromEntries(categories.map((id) => [id, middle(id)])) as Figures),
    kilobytes: most('kilobytes'),
    shift: most('shift'),
    foreign: most('foreign'),
  }
}

const product = await startStandalone()
const chromium = await startChromium()
try {
  await reportPageLoad(product)
  for (const name of options.pages.split(',')) {
    const address = addresses[name]
    if (address === undefined && name !== website)
      throw new Error(`no page "${name}": ${Object.keys(addresses).join(', ')}, ${website}`)
    const found: Figures[] = []
    if (address === undefined) found.push(await measure(name, 'en', await publishWebsite(product), chromium.port))
    else
      for (const language of options.languages.split(','))
        found.push(await measure(name, language, `${product.origin}/${language}${address}`, chromium.port))
    const least = (key: keyof Figures) => Math.min(...found.map((figures) => figures[key]))
    const most = (key: keyof Figures) => Math.max(...found.map((figures) => figures[key]))
    for (const id of categories) reportFigure(`${name}: ${id}`, least(id), 'points', { atLeast: scoreToReach })
    const weight = most('kilobytes')
    reportFigure(`${name}: script`, weight, 'kB', { atMost: kilobytesToReach })
    reportFigure(`${name}: layout shift`, most('shift'), '', { atMost: 0 })
    reportFigure(`${name}: requests to other hosts`, most('foreign'), '', { atMost: 0 })
  }
} finally {
  await chromium.stop()
  await product.dispose()
}
