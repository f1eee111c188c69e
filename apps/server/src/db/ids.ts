/** The least id (UUID version 7) that can be made at a moment, in milliseconds since 1970. */
export function firstIdAt(milliseconds: number): string {
  const time = Math.max(0, Math.trunc(milliseconds)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-0000-0000-000000000000`
}
