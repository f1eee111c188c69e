/** For an axis of calendar days, each of which is its midnight in UTC, whatever zone the browser is in. */
const day = 86_400

/** Steps between the marks, in seconds: whole days, about months, years. */
export const dayMultiples = [1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365].map((days) => days * day)

/** A date whose *local* parts are those that the moment (seconds since 1970) has in UTC: uPlot reads the local ones. */
export function localOfUtc(seconds: number): Date {
  const utc = new Date(seconds * 1000)
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  )
}
