import { expect, test } from 'vitest'
import { placeOnMap } from './players.ts'

test('players stand in the dimension that they are in, of the world that is played', () => {
  const dimensions = [
    { id: 'world.overworld', world: 'world', dimension: 'overworld' },
    { id: 'world.the_nether', world: 'world', dimension: 'the_nether' },
    { id: 'old.the_end', world: 'old', dimension: 'the_end' },
  ]
  const at = (name: string, dimension: string) => ({ name, x: 1.9, y: 64, z: -0.1, dimension })
  expect(
    placeOnMap(
      [at('Alex', 'minecraft:the_nether'), at('Steve', 'minecraft:overworld'), at('Eve', 'minecraft:the_end')],
      dimensions,
    ),
  ).toEqual([
    { name: 'Alex', dimension: 'world.the_nether', x: 1, z: -1 },
    { name: 'Steve', dimension: 'world.overworld', x: 1, z: -1 },
  ])
  expect(placeOnMap([at('Alex', 'minecraft:overworld')], [])).toEqual([])
})
