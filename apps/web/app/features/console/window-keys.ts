/**
 * React keys for a moving window of lines. Lines that stay in sight keep their element, as usual. When everything in
 * sight is replaced at once, as when thousands of lines a second rush by, the new lines take over the old elements:
 * changing texts costs a fraction of making rows.
 */
export type WindowKeys = (firstLine: number, lastLine: number) => number

/** Returns what to subtract from a line's own key in this picture. Lines are named by their keys, rising by one. */
export function createWindowKeys(): WindowKeys {
  let first = 0
  let last = -1
  let shift = 0
  return (nextFirst, nextLast) => {
    if (nextFirst > last || nextLast < first) shift += nextFirst - first
    first = nextFirst
    last = nextLast
    return shift
  }
}
