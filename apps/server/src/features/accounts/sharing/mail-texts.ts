import type { Language } from '@wakestone/contract/primitives'

type Said = { inviter: string; server: string; until: string }
type Texts = {
  subject: (said: Said) => string
  account: (said: Said & { username: string }) => string
  stranger: (said: Said) => string
  button: string
  foot: string
}

/** What the mail of an invitation says, to an account and to an address without one. */
export const invitationTexts: Record<Language, Texts> = {
  en: {
    subject: ({ inviter, server }) => `${inviter} shared the server “${server}” with you`,
    account: ({ username, inviter, server, until }) =>
      `Hi ${username}, ${inviter} has invited you to the server “${server}”. See what you’ll be able to do there, then accept or decline. The link works once and is valid until ${until}.`,
    stranger: ({ inviter, server, until }) =>
      `${inviter} has invited you to the Minecraft server “${server}”. You’ll need a free account: register with this e-mail address and the invitation will be waiting for you. The link works once and is valid until ${until}.`,
    button: 'View the invitation',
    foot: 'If you don’t know who this is, ignore this e-mail; no one gets access to anything of yours.',
  },
  pl: {
    subject: ({ inviter, server }) => `${inviter} udostępnia Ci serwer „${server}”`,
    account: ({ username, inviter, server, until }) =>
      `Cześć ${username}, ${inviter} zaprasza Cię na serwer „${server}”. Zobacz, co możesz tam robić, i przyjmij lub odrzuć zaproszenie. Link jest jednorazowy, ważny do ${until}.`,
    stranger: ({ inviter, server, until }) =>
      `${inviter} zaprasza Cię na serwer Minecraft „${server}”. Potrzebujesz darmowego konta: załóż je na ten adres e-mail, a zaproszenie będzie na Ciebie czekać. Link jest jednorazowy, ważny do ${until}.`,
    button: 'Zobacz zaproszenie',
    foot: 'Nie znasz tej osoby? Zignoruj tę wiadomość: nikt nie dostanie dostępu do niczego, co Twoje.',
  },
  de: {
    subject: ({ inviter, server }) => `${inviter} teilt den Server „${server}“ mit dir`,
    account: ({ username, inviter, server, until }) =>
      `Hallo ${username}, ${inviter} lädt dich auf den Server „${server}“ ein. Sieh nach, was du dort darfst, und nimm an oder lehne ab. Der Link gilt einmal, bis ${until}.`,
    stranger: ({ inviter, server, until }) =>
      `${inviter} lädt dich auf den Minecraft-Server „${server}“ ein. Du brauchst dafür ein Konto, es kostet nichts: Registriere dich mit dieser E-Mail-Adresse, und die Einladung wartet auf dich. Der Link gilt einmal, bis ${until}.`,
    button: 'Einladung ansehen',
    foot: 'Du kennst diese Person nicht? Dann ignoriere diese Nachricht einfach; niemand bekommt Zugriff auf etwas von dir.',
  },
}
