/**
 * Lint rules, and the direction of imports: `routes, jobs → service → repo → db` on the server, groups of features
 * downward only, `screens → features → ui` on the web, never from one app into another, and no circle among files.
 * tests/directions.test.ts plants forbidden imports.
 *
 * Where several overrides match a file, the last one replaces the others' restrictions, so each names all of its own.
 */
import { defineConfig, type OxlintConfig } from 'oxlint'

type Rules = NonNullable<OxlintConfig['rules']>
type Restriction = ({ regex: string } | { group: string[] }) & { message: string }

const otherApps: Restriction = {
  regex:
    '^@wakestone/(server|gateway|supervisor|files|inspector|standalone|web)(/|$)|(^|/)\\.\\./(apps/)?(server|gateway|supervisor|files|inspector|standalone|web)/(src|app)/',
  message: 'An app is imported by nobody: share through packages/contract or packages/protocol.',
}
const simulators: Restriction = {
  regex: '^@wakestone/simulators(/|$)|/packages/simulators/',
  message: 'Simulators are for the standalone demo and for tests.',
}
const nodeModules: Restriction = { regex: '^node:', message: 'The contract also runs in browsers.' }
const sql: Restriction = { regex: '^(kysely|pg)(/|$)', message: 'SQL belongs in a repo.ts or in db/.' }
const fastify: Restriction = { regex: '^(fastify$|@fastify/)', message: 'Fastify belongs in http/ and in routes.ts.' }
/** Always the last: what its exceptions let through, no pattern after it forbids. */
const otherFeatures: Restriction = {
  group: ['#src/features/*/*/**', '../*/**', '!#src/features/*/*/service.ts', '!../*/service.ts'],
  message: 'Of another feature, import its service.ts only.',
}
/** Of entry points, `jobs/` and `http/`; always the last as well. */
const insidesOfFeatures: Restriction = {
  group: [
    '#src/features/*/*/**',
    '**/features/*/*/**',
    ...['service', 'jobs', 'routes'].flatMap((name) => [
      `!#src/features/*/*/${name}.ts`,
      `!**/features/*/*/${name}.ts`,
    ]),
  ],
  message: 'A feature is entered by its service.ts, jobs.ts or routes.ts.',
}
const repos: Restriction = { regex: '(^|/|-)repo\\.ts$', message: 'Ask the feature’s service, not its repo.' }
const services: Restriction = { regex: '(^|/)(service|jobs|routes)\\.ts$', message: 'A repo stands below services.' }
const callers: Restriction = { regex: '(^|/)routes\\.ts$', message: 'Routes stand above everything else.' }
const features: Restriction = { regex: '^#src/features/|/features/', message: 'The database stands below features.' }
const webScreens: Restriction = { regex: '^#app/screens/|/screens/', message: 'Screens stand above this.' }
const webFeatures: Restriction = { regex: '^#app/features/|/features/', message: 'ui/ stands below features.' }

const forbid = (...patterns: Restriction[]): Rules => ({ 'no-restricted-imports': ['error', { patterns }] })

/** Groups of features, the highest first: each may import from itself and from those below it. */
const groups = [
  'admin',
  'accounts',
  'invoicing',
  'sales',
  'websites',
  'marketplace',
  'servers',
  'money',
  'site',
  'ground',
]
const groupsAbove = (group: string): Restriction[] => {
  const above = groups.slice(0, groups.indexOf(group))
  if (above.length === 0) return []
  return [
    {
      regex: `((^#src/features|/features)/|^(\\.\\./){2,})(${above.join('|')})/`,
      message: `${group}/ stands below: hand in what it needs, or announce and let the higher feature listen.`,
    },
  ]
}

const everywhere = [otherApps, simulators]

/** What the files of a group's features may not import. */
function featureRules(group: string) {
  const feature = `apps/server/src/features/${group}/*/`
  const outside = [...everywhere, ...groupsAbove(group)]
  return [
    { files: [`${feature}**`], rules: forbid(...outside, sql, fastify, callers, otherFeatures) },
    { files: [`${feature}**/routes.ts`], rules: forbid(...outside, sql, repos, otherFeatures) },
    {
      files: [`${feature}**/jobs.ts`, `${feature}**/*-jobs.ts`],
      rules: forbid(...outside, sql, fastify, repos, otherFeatures),
    },
    {
      files: [`${feature}**/repo.ts`, `${feature}**/*-repo.ts`],
      rules: forbid(...outside, fastify, services, otherFeatures),
    },
  ]
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'vitest', 'react'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['**/*.gen.ts'],
  rules: {
    'no-console': ['error', { allow: ['error'] }],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'typescript/consistent-type-imports': 'error',
    // Off: matters of taste, or wrong about code that is right.
    'no-control-regex': 'off',
    'no-underscore-dangle': 'off',
    'no-unmodified-loop-condition': 'off',
    'no-useless-concat': 'off',
    'import/no-cycle': 'error',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    'no-new': 'off',
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    'react/purity': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/set-state-in-effect': 'off',
    'react/refs': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-array-sort': 'off',
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    ...forbid(...everywhere),
  },
  overrides: [
    { files: ['packages/contract/src/**'], rules: forbid(...everywhere, nodeModules) },
    { files: ['packages/simulators/src/**'], rules: forbid(otherApps) },

    { files: ['apps/server/src/**'], rules: forbid(...everywhere, sql, fastify, insidesOfFeatures) },
    { files: ['apps/server/src/jobs/**'], rules: forbid(...everywhere, fastify, insidesOfFeatures) },
    { files: ['apps/server/src/{http/**,api.ts}'], rules: forbid(...everywhere, sql, insidesOfFeatures) },
    { files: ['apps/server/src/db/**'], rules: forbid(...everywhere, fastify, features) },
    ...groups.flatMap(featureRules),

    { files: ['apps/web/app/features/**'], rules: forbid(...everywhere, webScreens) },
    { files: ['apps/web/app/ui/**'], rules: forbid(...everywhere, webScreens, webFeatures) },

    // The demo brings its own payment provider; tests put together what the product keeps apart.
    { files: ['apps/standalone/src/**'], rules: { ...forbid(otherApps), 'no-console': 'off' } },
    {
      files: ['**/*.test.{ts,tsx}', 'tests/**', 'bench/**'],
      rules: { 'no-restricted-imports': 'off', 'no-console': 'off' },
    },
    { files: ['scripts/**'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: [
        'scripts/**',
        'engines/*/src/**',
        'apps/server/src/{migrate,drain,doctor,business-backup,business-restore,admin-password,import}.ts',
      ],
      rules: { 'no-console': 'off' },
    },
  ],
})
