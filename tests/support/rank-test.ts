/**
 * Whether two samples could be of one distribution: the Mann–Whitney test, which looks at ranks alone, so that a few
 * slow answers of a busy machine say nothing.
 * @returns the standard score: about 0 when they could, with a deviation of 1; each value of 4 or more comes by chance
 *   once in 16 000 times. Positive where the first sample is the greater one.
 */
export function rankScore(one: readonly number[], other: readonly number[]): number {
  const values = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))]
  values.sort((a, b) => a.value - b.value)
  let rankSum = 0
  for (let start = 0; start < values.length;) {
    let end = start
    while (end < values.length && values[end]?.value === values[start]?.value) end++
    const rank = (start + 1 + end) / 2 // equals share the middle of their places
    for (; start < end; start++) if (values[start]?.isOne) rankSum += rank
  }
  const [m, n] = [one.length, other.length]
  const surplus = rankSum - (m * (m + 1)) / 2
  return (surplus - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12)
}

/** Calls each of two, in pairs of random order, so that whatever the machine does meanwhile meets both alike. */
export async function timeInTurns(
  pairs: number,
  calls: readonly [(at: number) => Promise<unknown>, (at: number) => Promise<unknown>],
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let at = 0; at < pairs; at++) {
    const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)
    for (const which of order) {
      const begun = performance.now()
      await calls[which](at)
      times[which].push(performance.now() - begun)
    }
  }
  return times
}
