/** What players of a free server read in the game. */
import type { Language } from '@wakestone/contract/primitives'

const warnings: Record<Language, string> = {
  en: 'This server will go to sleep in {minutes} minutes. Its owner can add an hour in the panel.',
  pl: 'Ten serwer zaśnie za {minutes} minut. Właściciel może dodać godzinę w panelu.',
  de: 'Dieser Server geht in {minutes} Minuten schlafen. Sein Besitzer kann im Panel um eine Stunde verlängern.',
}

export const warningText = (language: Language, minutes: number) =>
  warnings[language].replace('{minutes}', `${minutes}`)
