/** Mails about the newsletter itself. */
import type { Language } from '@wakestone/contract/primitives'
import { layoutMail } from '#src/adapters/mail/layout.ts'

export type NewsletterMailKind = 'confirm' | 'welcome' | 'already'
type Texts = { subject: string; title: string; text: string; button: string; foot: string }

const texts: Record<Language, Record<NewsletterMailKind, Texts>> = {
  en: {
    confirm: {
      subject: 'Confirm your newsletter sign-up',
      title: 'Do you want our newsletter?',
      text: 'Someone, hopefully you, signed up this address. We’ll only send the newsletter once you confirm. The link works once and is valid for two days.',
      button: 'Yes, send it to me',
      foot: 'If it wasn’t you, ignore this e-mail and you won’t get the newsletter.',
    },
    welcome: {
      subject: 'You’re on the list',
      title: 'You’re on the list',
      text: 'Every now and then we’ll send you news about servers, games and offers. You can unsubscribe at any time.',
      button: 'Unsubscribe',
      foot: 'You’ll find this link in every issue too.',
    },
    already: {
      subject: 'You already get our newsletter',
      title: 'You already get our newsletter',
      text: 'Someone signed this address up, but it’s already on the list. You don’t need to do anything unless you want to unsubscribe.',
      button: 'Unsubscribe',
      foot: 'If it wasn’t you, you can ignore this e-mail.',
    },
  },
  pl: {
    confirm: {
      subject: 'Potwierdź zapis na newsletter',
      title: 'Chcesz dostawać nasz newsletter?',
      text: 'Ktoś, mamy nadzieję, że Ty, podał ten adres. Zaczniemy wysyłać dopiero po potwierdzeniu. Link jest jednorazowy i ważny dwa dni.',
      button: 'Tak, chcę go dostawać',
      foot: 'To nie Ty? Zignoruj tę wiadomość, a newsletter nie przyjdzie.',
    },
    welcome: {
      subject: 'Jesteś na liście',
      title: 'Jesteś na liście',
      text: 'Od czasu do czasu wyślemy na ten adres wieści o serwerach, grach i ofertach. Możesz zrezygnować w każdej chwili.',
      button: 'Rezygnuję z newslettera',
      foot: 'Ten link znajdziesz też w każdym wydaniu.',
    },
    already: {
      subject: 'Newsletter już do Ciebie trafia',
      title: 'Newsletter już do Ciebie trafia',
      text: 'Ktoś podał ten adres, a on już jest na liście. Nie musisz nic robić, chyba że chcesz zrezygnować.',
      button: 'Rezygnuję z newslettera',
      foot: 'To nie Ty? Po prostu zignoruj tę wiadomość.',
    },
  },
  de: {
    confirm: {
      subject: 'Bitte bestätige den Newsletter',
      title: 'Möchtest du unseren Newsletter?',
      text: 'Jemand, hoffentlich du, hat ihn an diese Adresse bestellt. Wir schicken ihn erst, wenn du bestätigst. Der Link gilt einmal und zwei Tage lang.',
      button: 'Ja, schickt ihn mir',
      foot: 'Das warst nicht du? Ignoriere diese Nachricht, dann kommt kein Newsletter.',
    },
    welcome: {
      subject: 'Du stehst auf der Liste',
      title: 'Du stehst auf der Liste',
      text: 'An diese Adresse schicken wir ab und zu Neues über Server, Spiele und Angebote. Du kannst dich jederzeit abmelden.',
      button: 'Newsletter abbestellen',
      foot: 'Der Link steht auch in jeder Ausgabe.',
    },
    already: {
      subject: 'Du bekommst unseren Newsletter schon',
      title: 'Du bekommst unseren Newsletter schon',
      text: 'Jemand hat ihn an diese Adresse bestellt, doch sie steht schon auf der Liste. Du musst nichts tun, außer du möchtest dich abmelden.',
      button: 'Newsletter abbestellen',
      foot: 'Das warst nicht du? Dann ignoriere diese Nachricht einfach.',
    },
  },
}

export function newsletterMail({
  kind,
  language,
  confirm,
  leave,
}: {
  kind: NewsletterMailKind
  language: Language
  /** Addresses of the pages that do it. */
  confirm: string
  leave: string
}) {
  const { subject, title, text, button, foot } = texts[language][kind]
  return {
    subject,
    ...layoutMail({
      language,
      title,
      text,
      button: { text: button, link: kind === 'confirm' ? confirm : leave },
      foot,
    }),
  }
}
