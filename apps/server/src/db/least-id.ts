/** The least id (UUID 7) that can have been made at a time: ids begin with it. */
export function leastId(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
