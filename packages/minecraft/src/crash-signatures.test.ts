import { expect, test } from 'vitest'
import { findCrashReasons } from './crash-signatures.ts'

test.each([
  ['Exception in thread "Server thread" java.lang.OutOfMemoryError: Java heap space', 'out_of_memory'],
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'out_of_memory'],
  ['[main/ERROR]: Incompatible mods found!', 'fabric_incompatible_mods'],
  ["Could not execute entrypoint stage 'main' due to errors, provided by 'lithium'", 'fabric_mod_load'],
  ["\tMod ID: 'a', Requested by: 'b', Expected range: '[1,)', Actual version: '[MISSING]'", 'forge_missing_mod'],
  ['Found a duplicate mod jei at mods/jei.jar', 'forge_mod_load'],
  ['Server attempted to load chunk saved with newer version of minecraft! 4903 > 4440', 'version_downgrade'],
  ['something else', 'unknown'],
])('%s', (line, tag) => {
  expect(findCrashReasons(['before', line, 'after'])).toEqual([tag])
})

test('a missing dependency explains the failure to load', () => {
  const lines = [
    'net.minecraftforge.fml.LoadingFailedException: Loading errors encountered',
    'Missing or unsupported mandatory dependencies:',
  ]
  expect(findCrashReasons(lines)).toEqual(['forge_missing_mod'])
})

test('a kill by the memory limit leaves no line behind', () => {
  expect(findCrashReasons([], { killedForMemory: true })).toEqual(['out_of_memory'])
})
