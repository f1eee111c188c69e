/** Letters without their marks, so that `lodz` finds `Łódź`. */
export function plainText(text: string): string {
  return text.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replaceAll(/\p{M}/gu, '')
}
