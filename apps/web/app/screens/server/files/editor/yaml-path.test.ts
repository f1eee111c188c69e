import { expect, test } from 'vitest'
import { yamlPathAt } from './yaml-path.ts'

const lines = `# settings of all
settings:
  allow-end: true # of course

  "debug":
    level: 1
world-settings:
  default:
    view-distance: 8
list:
- a
- name: b
url: http://x: y`.split('\n')
const pathOf = (start: string) =>
  yamlPathAt(
    (index) => lines[index] ?? '',
    lines.findIndex((line) => line.trimStart().startsWith(start)),
  )

test.each([
  ['settings', 'settings'],
  ['allow-end', 'settings.allow-end'],
  ['"debug"', 'settings.debug'],
  ['level', 'settings.debug.level'],
  ['view-distance', 'world-settings.default.view-distance'],
  ['url', 'url'],
  ['# settings', undefined],
  ['- a', undefined],
])('%s is %s', (start, path) => expect(pathOf(start)).toBe(path))
