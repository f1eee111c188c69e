/** Mails about tickets: to the writer in their language, to support in English. */
import type { Language, TicketTopic } from '@wakestone/contract/primitives'
import { layoutMail } from '#src/adapters/mail/layout.ts'

const receivedTexts: Record<
  Language,
  {
    subject: (number: number) => string
    title: string
    text: (number: number, about: string, hours: number) => string
    foot: string
  }
> = {
  en: {
    subject: (number) => `Your message has arrived (#${number})`,
    title: 'Your message has arrived',
    text: (number, about, hours) =>
      `Thanks for getting in touch. Your message about “${about}” is ticket #${number}. We’ll reply to this address, usually within ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
    foot: 'If you didn’t write to us, someone probably mistyped their address. You can ignore this e-mail.',
  },
  pl: {
    subject: (number) => `Mamy Twoją wiadomość (nr ${number})`,
    title: 'Mamy Twoją wiadomość',
    text: (number, about, hours) =>
      `Dziękujemy za kontakt. Twoje zgłoszenie „${about}” ma numer ${number}. Odpowiemy na ten adres, zwykle w ciągu ${hours === 1 ? 'godziny' : `${hours} godzin`}.`,
    foot: 'To nie Ty? Ktoś pewnie pomylił się, wpisując swój adres. Zignoruj tę wiadomość.',
  },
  de: {
    subject: (number) => `Deine Nachricht ist da (Nr. ${number})`,
    title: 'Deine Nachricht ist da',
    text: (number, about, hours) =>
      `Danke, dass du uns schreibst. Deine Anfrage „${about}“ hat die Nummer ${number}. Wir antworten an diese Adresse, normalerweise innerhalb ${hours === 1 ? 'einer Stunde' : `von ${hours} Stunden`}.`,
    foot: 'Du hast uns nicht geschrieben? Dann hat sich jemand bei der Adresse vertippt. Ignoriere diese Nachricht einfach.',
  },
}

/** As the form calls them. */
const topicNames: Record<Language, Record<TicketTopic, string>> = {
  en: {
    server_problem: 'Trouble with a server',
    payments: 'Payments',
    offer: 'Plans and offers',
    backup: 'Backups',
    site_problem: 'Trouble with this site',
    sponsoring: 'Sponsoring',
    other: 'Something else',
  },
  pl: {
    server_problem: 'Problem z serwerem',
    payments: 'Płatności',
    offer: 'Oferta i plany',
    backup: 'Kopie zapasowe',
    site_problem: 'Problem ze stroną',
    sponsoring: 'Sponsoring',
    other: 'Coś innego',
  },
  de: {
    server_problem: 'Ein Problem mit einem Server',
    payments: 'Zahlungen',
    offer: 'Tarife und Angebote',
    backup: 'Sicherungen',
    site_problem: 'Ein Problem mit dieser Website',
    sponsoring: 'Sponsoring',
    other: 'Etwas anderes',
  },
}

/** Above it stands what is new in an answer: what a mail program repeats below is cut off by it. */
export const answerLine = '##- '

const answerTexts: Record<
  Language,
  { line: string; title: (number: number) => string; solved: string; panel: string; guest: string; closed: string }
> = {
  en: {
    line: 'Write your reply above this line',
    title: (number) => `An answer to your ticket #${number}`,
    solved: 'We think this is solved. If it isn’t, just reply and the ticket reopens.',
    panel: 'Open the ticket',
    guest: 'Just reply to this e-mail to write back.',
    closed: 'We marked your ticket as solved.',
  },
  pl: {
    line: 'Odpowiedz powyżej tej linii',
    title: (number) => `Odpowiedź na zgłoszenie nr ${number}`,
    solved: 'Uważamy sprawę za załatwioną. Jeśli tak nie jest, po prostu odpisz, a wrócimy do niej.',
    panel: 'Otwórz zgłoszenie',
    guest: 'Aby nam odpisać, po prostu odpowiedz na tę wiadomość.',
    closed: 'Oznaczyliśmy Twoje zgłoszenie jako rozwiązane.',
  },
  de: {
    line: 'Bitte antworte oberhalb dieser Zeile',
    title: (number) => `Antwort auf deine Anfrage Nr. ${number}`,
    solved: 'Wir halten das für gelöst. Falls nicht, antworte einfach: Dann geht es weiter.',
    panel: 'Anfrage öffnen',
    guest: 'Antworte einfach auf diese E-Mail, wenn du uns schreiben möchtest.',
    closed: 'Wir haben deine Anfrage als gelöst markiert.',
  },
}

/** The form takes any address, and must not carry words to strangers: only with `isProven` what was written is repeated. */
export function ticketReceivedMail(ticket: {
  language: Language
  number: number
  topic: TicketTopic
  subject: string
  /** The address is known to be the writer's. */
  isProven: boolean
  answerHours: number
  /** To the ticket, for those with an account. */
  link: string | undefined
}) {
  const { language, number, topic, subject, isProven, answerHours, link } = ticket
  const texts = receivedTexts[language]
  return {
    subject: texts.subject(number),
    ...layoutMail({
      language,
      title: texts.title,
      text: texts.text(number, isProven ? subject : topicNames[language][topic], answerHours),
      ...(link !== undefined && { button: { text: answerTexts[language].panel, link } }),
      foot: texts.foot,
    }),
  }
}

/** What support has written, to whom it is for. @param link to the ticket, for those with an account */
export function ticketAnswerMail(ticket: {
  language: Language
  number: number
  subject: string
  body: string | null
  isSolved: boolean
  link: string | undefined
}) {
  const { language, number, subject, body, isSolved, link } = ticket
  const texts = answerTexts[language]
  const text = [`${answerLine}${texts.line} -##`, body ?? texts.closed, ...(isSolved ? [texts.solved] : [])].join(
    '\n\n',
  )
  return {
    subject: `Re: ${subject} (#${number})`,
    ...layoutMail({
      language,
      title: texts.title(number),
      text,
      ...(link !== undefined && { button: { text: texts.panel, link } }),
      foot: texts.guest,
    }),
  }
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export function ticketForSupportMail(ticket: {
  number: number
  topic: TicketTopic
  subject: string
  body: string
  email: string
  language: Language
  username: string | null
  link: string
  isFirst: boolean
}) {
  const { number, topic, subject, body, email, language, username, link, isFirst } = ticket
  const writer = username === null ? 'a visitor, whose address nobody checked' : `user ${username}`
  return {
    subject: `${isFirst ? '' : 'Re: '}[#${number}] ${subject}`,
    ...layoutMail({
      language: 'en',
      title: subject,
      text: `${answerLine}${answerTexts.en.line} -##\n\n${body}`,
      button: { text: 'Open the ticket', link },
      foot: `Ticket #${number}, ${topicNames.en[topic]}. From ${email} (${writer}), who reads ${languageNames.of(language)}. Reply to this mail to answer.`,
    }),
  }
}
