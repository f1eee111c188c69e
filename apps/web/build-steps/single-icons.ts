/**
 * Imports icons one by one. The icons' index names six thousand modules, and a build would read every one of them to
 * keep thirty.
 */
import type { Plugin } from 'vite'

const statement = /import \{([^}]*)\} from ['"]@tabler\/icons-react['"];?/g

export function singleIcons(): Plugin {
  return {
    name: 'wakestone:single-icons',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/app\/.*\.tsx?$/, code: '@tabler/icons-react' },
      handler: (code) => ({ code: importSingly(code), map: null }),
    },
  }
}

/** Types are left with the index: they are gone after compiling. Line numbers stay. */
export function importSingly(code: string): string {
  return code.replace(statement, (whole, list: string) => {
    const names = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    const types = names.filter((name) => name.startsWith('type ')).map((name) => name.slice(5))
    const icons = names.filter((name) => /^Icon[A-Z0-9]\w*$/.test(name))
    if (types.length + icons.length < names.length) return whole
    const imports = icons.map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`)
    if (types.length > 0) imports.push(`import type { ${types.join(', ')} } from '@tabler/icons-react';`)
    return imports.join(' ') + '\n'.repeat(whole.split('\n').length - 1)
  })
}
