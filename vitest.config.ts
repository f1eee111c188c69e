import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['{apps,packages,engines}/*/{src,app,build-steps}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The whole product and a browser in each: after everything else, with time to spare.
        extends: true,
        test: {
          name: 'end to end',
          include: ['tests/e2e/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
