import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { readBuildInfo } from './build-steps/build-info.ts'
import { checkLocales } from './build-steps/check-locales.ts'
import { documentation } from './build-steps/docs/docs-plugin.ts'
import { singleIcons } from './build-steps/single-icons.ts'
import { staticLocales } from './build-steps/static-locales.ts'

const packages = (...names: string[]) => new RegExp(`/node_modules/(?:${names.join('|')})/`)

/**
 * Scripts that travel together, each with what it imports. Few large files compress better than many small ones, and
 * cost fewer requests. `site` is what every public page has; `forms` and `rules` stay away from pages that only read.
 */
const scriptGroups = [
  { name: 'framework', test: packages('react', 'react-dom', 'scheduler', 'react-router') },
  {
    name: 'site',
    test: /\/app\/(?:root|screens\/(?:public-layout|language)|features\/page-meta|ui\/(?:error-state|state-badge|segmented|name-pixels|key-value-list))/,
  },
  {
    name: 'forms',
    test: /@mantine\/core\/esm\/(?:core|components\/(?:Checkbox|Input|InputBase|TextInput|PasswordInput))\/|\/app\/features\/auth\/(?:auth-frame|other-ways|last-method|no-script-note)/,
  },
  { name: 'rules', test: packages('zod') },
  { name: 'queries', test: packages('@tanstack/(?:query-core|react-query)') },
]

const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
/** What is there wherever the pages are served; everything else goes into the build, and need not be installed there. */
const installed = Object.keys(dependencies).filter((name) => !name.startsWith('@wakestone/'))

export default defineConfig(({ command }) => ({
  define: { __BUILD_INFO__: JSON.stringify(readBuildInfo(join(import.meta.dirname, '../..'))) },
  plugins: [checkLocales(), staticLocales(), documentation(), singleIcons(), reactRouter()],
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: scriptGroups } } } } },
  },
  ssr: command === 'build' ? { noExternal: true, external: installed } : { noExternal: [/^@tabler\//] },
  build: {
    target: 'es2022',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
  },
}))
