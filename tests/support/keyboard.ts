/** A visitor with a keyboard only. Wherever the focus goes, it has to be seen. */
import type { Locator, Page } from 'playwright-core'

/**
 * Runs in the page after each Tab: tells what has the focus, and whether the place that had it before looks the same
 * now. What looks the same with and without the focus does not show it.
 */
const lookAround = `(() => {
  const sides = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'backgroundColor', 'clipPath', 'transform', 'textDecorationLine']
  const lookOf = (element) => {
    const parts = []
    for (let node = element, level = 0; node && level < 4; node = node.parentElement, level++) parts.push([node, null], [node, '::after'])
    if (element.nextElementSibling) parts.push([element.nextElementSibling, null])
    return JSON.stringify(parts.map(([node, pseudo]) => sides.map((side) => getComputedStyle(node, pseudo)[side])))
  }
  const nameOf = (element) => element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent ?? '').trim().slice(0, 40) + '"'
  const faults = []
  const before = window.focusBefore
  const now = document.activeElement
  if (before && before.element !== now && before.element.isConnected && before.look === lookOf(before.element))
    faults.push('nothing shows that ' + nameOf(before.element) + ' has the focus')
  window.focusBefore = undefined
  if (now && now !== document.body) {
    const box = (now.closest('label') ?? now).getBoundingClientRect()
    if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth)
      faults.push(nameOf(now) + ' has the focus outside of what is seen')
    window.focusBefore = { element: now, look: lookOf(now) }
  }
  return faults
})()`

export function createTypist(page: Page) {
  const faults = new Set<string>()
  const hasFocus = async (target: Locator) => (await target.and(page.locator(':focus')).count()) > 0

  /** Tab until the target has the focus. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' })
    for (let presses = 0; !(await hasFocus(target)); presses++) {
      if (presses === 150) throw new Error(`Tab never comes to ${target}`)
      await page.keyboard.press('Tab')
      for (const fault of await page.evaluate<string[]>(lookAround))
        faults.add(`${new URL(page.url()).pathname}: ${fault}`)
    }
  }
  return {
    faults,
    hasFocus,
    tabTo,
    async press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
      await tabTo(target)
      await page.keyboard.press(key)
    },
    async type(target: Locator, text: string): Promise<void> {
      await tabTo(target)
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    },
    /**
     * After a change of page within the document: the new page stands, and the focus is in it, not lost. The address
     * changes before the page does, and what is typed between goes into the old one.
     */
    async arrive(heading: string | RegExp): Promise<void> {
      await page.getByRole('main').getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.locator('#content:focus, #content :focus').waitFor()
    },
  }
}
