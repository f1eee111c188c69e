/** `npm run test:long` does the whole of what `npm test` does a piece of: every file that imports this runs in it. */
export const isLong = process.env['TEST_LONG'] === '1'
