import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { theme } from './theme.ts'

type Variables = Record<string, string>

/** Those that differ from what Mantine's style sheet already says. */
function changed(ours: Variables, known: Variables): Variables {
  return Object.fromEntries(Object.entries(ours).filter(([name, value]) => known[name] !== value))
}

function writeVariables(): string {
  const ours = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme))
  const known = defaultCssVariablesResolver(DEFAULT_THEME)
  return convertCssVariables({
    variables: changed(ours.variables, known.variables),
    light: changed(ours.light, known.light),
    dark: changed(ours.dark, known.dark),
  })
}

let written: string | undefined

/** Our theme as variables of CSS. Mantine's own component works them out anew for every page, which takes longer than many a page. */
export function ThemeVariables() {
  written ??= writeVariables()
  return <style data-mantine-styles dangerouslySetInnerHTML={{ __html: written }} />
}
