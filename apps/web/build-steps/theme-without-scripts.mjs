/**
 * The dark theme for browsers without JavaScript, as their system asks for it. A script sets the attribute by which
 * styles know the theme; where none runs it stays at the server's guess. So every rule of the dark theme is repeated for
 * that case.
 */
const dark = /\[data-mantine-color-scheme=(['"]?)dark\1\]/g

export const themeWithoutScripts = {
  postcssPlugin: 'wakestone:theme-without-scripts',
  OnceExit(root, { AtRule }) {
    root.walkRules((rule) => {
      const selectors = rule.selectors.filter((selector) => selector.match(dark) !== null)
      if (selectors.length === 0) return
      const copy = new AtRule({ name: 'media', params: '(scripting: none) and (prefers-color-scheme: dark)' })
      const repeated = rule.clone()
      repeated.selectors = selectors.map((selector) => selector.replace(dark, '[data-mantine-color-scheme]'))
      copy.append(repeated)
      rule.after(copy)
    })
  },
}
