import { panelStates, powerActions, powerActionsByState } from '@wakestone/contract/states'
import { expect, test } from 'vitest'
import { powerRefusal } from './power-refusal.ts'

test('an action is refused exactly where the contract leaves it out, and never without a reason', () => {
  for (const state of panelStates) {
    for (const action of powerActions) {
      const refusal = powerRefusal(action, state, true)
      expect(refusal === null).toBe(powerActionsByState[state].includes(action))
      expect(powerRefusal(action, state, false)).toBe('capability')
    }
  }
})
