import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, which each run names in the end, longest first: begun last, they would have everything else wait for them. */
const slow = [
  'money-crash',
  'migration',
  'route-walk',
  'money-model',
  'mysql',
  'money-two-years',
  'worlds',
  'shop',
  'bad-input',
  'packages-on-servers',
  'bedrock',
  'packages',
  'sleep',
  'marketplace',
  'process-cluster',
  'contract',
  'backups',
  'network',
  'players',
  'sleep-live',
  'money-every-price',
  'money-at-once',
  'money-statements',
  'accessibility',
  'story',
  'asleep',
  'files',
  'standalone',
  'resilience',
  'purchases',
  'long-texts',
  'languages',
  'gallery',
]
const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = slow.findIndex((name) => moduleId.includes(`/${name}.`))
  return rank < 0 ? slow.length : rank
}

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right))
  }
}

/** Run by `npm run test:long` only. */
const longOnly = process.env['TEST_LONG'] === '1' ? [] : ['**/*.long.test.ts']

export default defineConfig({
  test: {
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    // Bundles of megabytes are run as they are, not read and rewritten by each worker.
    server: { deps: { external: [/\/build\/[\w-]+\/[\w-]+\.mjs$/] } },
    // What a test makes is soon garbage: rarer rounds over a larger nursery take less time.
    execArgv: ['--max-semi-space-size=32'],
    // Much of a file's time is waiting: on two cores three keep them busy.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the default of a second.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['{apps,packages,engines}/*/{src,app,build-steps}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tests/e2e/**', ...longOnly],
          // Files share a process and what it has imported, a third of the time of all of them: no test leaves anything
          // behind in a module or in the environment.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The whole product and a browser in each: after everything else, with time to spare.
        extends: true,
        test: {
          name: 'end to end',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...longOnly],
          // Each is a browser and several programs, which want both cores by themselves.
          maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
