// Runs within a page: functions that long-texts.ts calls there.

function stretchTexts(pairs, share) {
  const known = new Map(pairs)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const nodes = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  for (const node of nodes) {
    const parent = node.parentElement
    const text = node.nodeValue?.trim() ?? ''
    if (parent === null || parent.closest('script, style, noscript, code, svg') !== null) continue
    // Amounts are no words.
    if (!/\p{L}{3,}/u.test(text) || /^[\d\s.,]+\p{L}{3}$/u.test(text)) continue
    const long = known.get(text) ?? text
    const words = long.split(/\s+/)
    let added = ''
    for (let index = 0; added.length < long.length * share; index++) added += ` ${words[index % words.length]}`
    // A single word is the longest of all languages already.
    node.nodeValue = words.length === 1 ? long : long + added
  }
}

function findMisfits() {
  const faults = []
  const width = document.documentElement.clientWidth
  const describe = (element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> “${element.textContent?.trim().slice(0, 60)}”`
  const overflow = document.documentElement.scrollWidth - width
  if (overflow > 0) faults.push(`the page scrolls sideways by ${overflow} px`)
  const scrolls = (element) => {
    for (let box = element; box !== null && box !== document.body; box = box.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return true
    }
    return false
  }
  // What only screen readers meet is cut down to a pixel.
  const isForEars = (element) => {
    for (let box = element; box !== null && box !== document.body; box = box.parentElement) {
      const { width: wide, height: high } = box.getBoundingClientRect()
      const { overflowX, clipPath } = getComputedStyle(box)
      if ((wide <= 2 || high <= 2) && (overflowX !== 'visible' || clipPath !== 'none')) return true
    }
    return false
  }
  for (const element of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    if (style.visibility === 'hidden' || box.width <= 2 || box.height <= 2) continue
    const ownText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())
    if (!ownText || !element.checkVisibility({ opacityProperty: true }) || isForEars(element)) continue
    const range = document.createRange()
    range.selectNodeContents(element)
    const text = range.getBoundingClientRect()
    if ((text.right > width + 1 || text.left < -1) && !scrolls(element) && text.bottom > 0)
      faults.push(`beyond the edge: ${describe(element)} from ${Math.round(text.left)} to ${Math.round(text.right)}`)
    // Where a box cuts its content off and no ellipsis says so, words are lost.
    for (let holder = element; holder && holder !== document.body; holder = holder.parentElement) {
      const look = getComputedStyle(holder)
      if (!/hidden|clip/.test(look.overflowX + look.overflowY)) continue
      if (look.textOverflow === 'ellipsis' || look.webkitLineClamp !== 'none') break
      const hold = holder.getBoundingClientRect()
      if (hold.width <= 2 || hold.height <= 2) break
      const cut = Math.max(
        text.right - hold.right,
        hold.left - text.left,
        text.bottom - hold.bottom,
        hold.top - text.top,
      )
      if (cut > 2) faults.push(`cut by ${Math.round(cut)} px: ${describe(element)}`)
      break
    }
  }
  return [...new Set(faults)]
}

globalThis.longTexts = { stretchTexts, findMisfits }
