import { expect, test } from 'vitest'
import { archiveStem, canUnpack } from './file-kind.ts'

/** Every form that archives come in. */
const archives =
  'zip tar tar.gz tar.bz2 tar.xz tar.Z zip.001 tar.bz tar.lz tar.lzma tar.zst tar.lzo tar.lz4 7z rar 7z.001 tar.gz.01 tgz'

test.each(archives.split(' '))('%s can be looked into, and its folder has its name', (ending) => {
  expect(canUnpack({ name: `My.World.${ending}`, type: 'file' })).toBe(true)
  expect(archiveStem(`plugins/My.World.${ending}`)).toBe('My.World')
})

test('later parts, folders and other files cannot', () => {
  for (const name of ['w.zip.002', 'w.001', 'readme.txt', 'r.0.0.mca', 'plain'])
    expect(canUnpack({ name, type: 'file' })).toBe(false)
  expect(canUnpack({ name: 'w.zip', type: 'folder' })).toBe(false)
})
