/** What somebody types, made into what is searched for. */

const mostWords = 8

/** Lower case, without accents; as `plain_words` in the database writes documents. */
export function plainWords(said: string): string[] {
  return said
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
}

/** All words, the last one as the beginning of one unless a space follows it. Words are of a–z and 0–9 only. */
export function toTsQuery(words: readonly string[], { isWhole }: { isWhole: boolean }): string {
  return words.map((word, index) => (index === words.length - 1 && !isWhole ? `${word}:*` : word)).join(' & ')
}

/** How many letters apart two words are, changed places counting once; stops at `most`. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let least = Math.min(
        (line[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1)
      line.push(least)
    }
    if (Math.min(...line) > most) return most + 1
    before = last
    last = line
  }
  return last[other.length] ?? most + 1
}

/** Letters that a word may be mistyped by. */
export const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)
