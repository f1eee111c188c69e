/** What players read in the game before their server moves. */
import type { Language } from '@wakestone/contract/primitives'

const warnings: Record<Language, { moves: string; back: string }> = {
  en: {
    moves: 'This server will move to another machine in {seconds} s.',
    back: 'It will be back at the same address about {down} s later.',
  },
  pl: {
    moves: 'Za {seconds} s ten serwer zostanie przeniesiony na inną maszynę.',
    back: 'Wróci pod tym samym adresem po około {down} s.',
  },
  de: {
    moves: 'In {seconds} s zieht dieser Server auf eine andere Maschine um.',
    back: 'Etwa {down} s später ist er unter derselben Adresse wieder da.',
  },
}

/** @param downSeconds for how long it will be away; null: nobody has said */
export function warningText(
  language: Language,
  { seconds, downSeconds }: { seconds: number; downSeconds: number | null },
): string {
  const { moves, back } = warnings[language]
  const when = moves.replace('{seconds}', `${seconds}`)
  return downSeconds === null ? when : `${when} ${back.replace('{down}', `${Math.ceil(downSeconds)}`)}`
}
