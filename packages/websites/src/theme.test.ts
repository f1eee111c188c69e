import { expect, test } from 'vitest'
import { websiteLooks } from '@wakestone/contract/websites/content'
import { inLook, looks } from './looks.ts'
import { contrast } from './theme.ts'

test.each(websiteLooks)('%s: whatever stands on its page or its sky can be read', (name) => {
  const { ground, raised, sky, text, muted } = looks[name]
  for (const behind of [ground, raised, ...sky])
    for (const letters of [text, muted])
      expect(contrast(letters, behind), `${letters} on ${behind}`).toBeGreaterThan(4.5)
})

test('another look brings what goes with it, unless its owner has chosen', () => {
  const theme = { look: 'lantern', accent: '', font: 'sans', corners: 'soft' } as const
  expect(inLook(theme, 'ember')).toEqual({ ...theme, look: 'ember', font: 'mono', corners: 'square' })
  expect(inLook({ ...theme, font: 'serif' }, 'ember')).toEqual({ ...theme, look: 'ember', font: 'serif' })
})
