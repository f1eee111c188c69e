/** Minor units of what somebody has typed, such as `19.99` or `5,5`; undefined: no amount. All currencies here have two digits. */
export function readAmount(text: string): number | undefined {
  const match = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim().replaceAll(/[\s\u00a0]/g, ''))
  if (match === null) return undefined
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
