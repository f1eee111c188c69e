import presetMantine from 'postcss-preset-mantine'
import { themeWithoutScripts } from './build-steps/theme-without-scripts.mjs'

export default { plugins: [presetMantine(), themeWithoutScripts] }
