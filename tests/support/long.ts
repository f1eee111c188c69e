/** `npm run test:long` does the whole of what `npm test` does a piece of: every file that imports this runs in it. */
export const isLong = process.env['TEST_LONG'] === '1'

/** How often a property is tried: a fifth of what `npm run test:long` does. */
export const runsOf = (all: number): number => (isLong ? all : Math.ceil(all / 5))

/** Of a list of variants so many, spread over it; all of them in `npm run test:long`. */
export const someOf = <Each>(all: readonly Each[], count: number): readonly Each[] =>
  isLong
    ? all
    : all.filter(
        (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
      )
