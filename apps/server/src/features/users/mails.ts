/** Mails to account holders, in their language. */
import type { Language } from '@wakestone/contract/primitives'
import { layoutMail } from '#src/adapters/mail/layout.ts'

const confirmTexts: Record<
  Language,
  { subject: string; title: string; text: (name: string) => string; button: string; foot: string }
> = {
  en: {
    subject: 'Confirm your e-mail address',
    title: 'One click and you are in',
    text: (name) => `Hi ${name}, please confirm that this address is yours. The link works once and for 24 hours.`,
    button: 'Confirm my address',
    foot: 'You did not register with us? Then simply ignore this message.',
  },
  pl: {
    subject: 'Potwierdź swój adres e-mail',
    title: 'Jedno kliknięcie i gotowe',
    text: (name) => `Cześć ${name}, potwierdź, że ten adres należy do Ciebie. Link działa raz, przez 24 godziny.`,
    button: 'Potwierdzam adres',
    foot: 'To nie Ty zakładasz konto? Po prostu zignoruj tę wiadomość.',
  },
  de: {
    subject: 'Bestätige deine E-Mail-Adresse',
    title: 'Ein Klick, und du bist drin',
    text: (name) =>
      `Hallo ${name}, bitte bestätige, dass diese Adresse dir gehört. Der Link gilt einmal und 24 Stunden lang.`,
    button: 'Adresse bestätigen',
    foot: 'Du hast dich nicht registriert? Dann ignoriere diese Nachricht einfach.',
  },
}

export function confirmEmailMail({ language, username, link }: { language: Language; username: string; link: string }) {
  const texts = confirmTexts[language]
  return {
    subject: texts.subject,
    ...layoutMail({
      language,
      title: texts.title,
      text: texts.text(username),
      button: { text: texts.button, link },
      foot: texts.foot,
    }),
  }
}
