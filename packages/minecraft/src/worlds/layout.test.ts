import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, findBedrockWorlds, findJavaWorlds, type ListFolder } from './layout.ts'

/** Lists folders as paths of files have them. */
function listOf(paths: readonly string[]): ListFolder {
  return async (folder) => {
    const prefix = folder === '' ? '' : `${folder}/`
    const entries = new Map<string, Entry>()
    for (const path of paths) {
      if (!path.startsWith(prefix)) continue
      const [name = '', ...rest] = path.slice(prefix.length).split('/')
      if (name !== '') entries.set(name, { name, isFolder: rest.length > 0 || entries.get(name)?.isFolder === true })
    }
    return [...entries.values()]
  }
}

test('the folders of each layout belong together', async () => {
  const found = await findJavaWorlds(
    listOf([
      'world/level.dat',
      'world/region/r',
      'world/DIM-1/region/r',
      'paper/level.dat',
      'paper/region/r',
      'paper_nether/DIM-1/region/r',
      'paper_the_end/DIM1/region/r',
      'alone_nether/DIM-1/region/r',
      'new/level.dat',
      'new/dimensions/minecraft/overworld/region/r',
      'new/dimensions/pack/sky/region/r',
      'plugins/thing/region/r',
    ]),
    'new',
  )
  expect(
    found.map(({ folder, parts, layout, dimensions }) => [folder, layout, parts, dimensions.map(({ name }) => name)]),
  ).toEqual([
    ['new', 'dimensions', [], ['overworld', 'pack:sky']],
    ['alone_nether', 'old', [], ['the_nether']],
    ['paper', 'bukkit', ['paper_nether', 'paper_the_end'], ['overworld', 'the_nether', 'the_end']],
    ['world', 'old', [], ['overworld', 'the_nether']],
  ])
})

test('the one that is played may lie in a folder; what is hidden is none', async () => {
  const list = listOf(['worlds/main/level.dat', '.trash/x/level.dat', 'other/level.dat'])
  expect((await findJavaWorlds(list, 'worlds/main')).map(({ folder }) => folder)).toEqual(['worlds/main', 'other'])
})

test('Bedrock Edition', async () => {
  const list = listOf(['worlds/a/level.dat', 'worlds/a/db/CURRENT', 'worlds/b/level.dat', 'worlds/.c/level.dat'])
  expect((await findBedrockWorlds(list)).map(({ folder }) => folder)).toEqual(['worlds/a'])
})

test('whatever lies there, each folder is told once, and every dimension has a folder that is there', async () => {
  const name = fc.constantFrom(
    'world',
    'world_nether',
    'world_the_end',
    'DIM-1',
    'DIM1',
    'region',
    'dimensions',
    'minecraft',
    'a',
  )
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => `${names.join('/')}/level.dat`)
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 30 }), async (paths) => {
      const list = listOf(paths)
      const found = await findJavaWorlds(list, 'world')
      const folders = found.flatMap(({ folder, parts }) => [folder, ...parts])
      expect(new Set(folders).size).toBe(folders.length)
      for (const { dimensions } of found) {
        expect(new Set(dimensions.map((dimension) => dimension.name)).size).toBe(dimensions.length)
        for (const { folder } of dimensions)
          expect((await list(folder)).some((entry) => entry.name === 'region' && entry.isFolder)).toBe(true)
      }
    }),
  )
})
