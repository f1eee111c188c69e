/** Times that most people want, by the names of their texts. */
export const presets = {
  hourly: '0 * * * *',
  daily: '0 4 * * *',
  weekly: '0 4 * * 1',
  quarter: '*/15 * * * *',
} as const
export const presetNames = Object.keys(presets) as (keyof typeof presets)[]

/** Undefined for times that somebody has written by themselves. */
export const presetOf = (expression: string) => presetNames.find((name) => presets[name] === expression)
