import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { checkLocales } from './build-steps/check-locales.ts'
import { singleIcons } from './build-steps/single-icons.ts'

export default defineConfig({
  plugins: [checkLocales(), singleIcons(), reactRouter()],
  build: {
    target: 'es2022',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
  },
})
