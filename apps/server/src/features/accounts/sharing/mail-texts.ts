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
    subject: ({ inviter, server }) => `${inviter} shares the server “${server}” with you`,
    account: ({ username, inviter, server, until }) =>
      `Hi ${username}, ${inviter} would like you on the server “${server}”. See what you may do there, then accept or decline. The link works once, until ${until}.`,
    stranger: ({ inviter, server, until }) =>
      `${inviter} would like you on the Minecraft server “${server}”. It takes an account, which is free: register with this e-mail address and the invitation will be waiting for you. The link works once, until ${until}.`,
    button: 'See the invitation',
    foot: 'You do not know who this is? Then simply ignore this message; nobody gets access to anything of yours.',
  },
  pl: {
    subject: ({ inviter, server }) => `${inviter} udostępnia Ci serwer „${server}”`,
    account: ({ username, inviter, server, until }) =>
      `Cześć ${username}, ${inviter} zaprasza Cię na serwer „${server}”. Zobacz, co możesz tam robić, i przyjmij lub odrzuć zaproszenie. Link jest jednorazowy, ważny do ${until}.`,
    stranger: ({ inviter, server, until }) =>
      `${inviter} zaprasza Cię na serwer Minecraft „${server}”. Potrzebne jest konto, które nic nie kosztuje: załóż je na ten adres e-mail, a zaproszenie będzie na Ciebie czekać. Link jest jednorazowy, ważny do ${until}.`,
    button: 'Zobacz zaproszenie',
    foot: 'Nie znasz tej osoby? Zignoruj tę wiadomość: nikt nie dostaje dostępu do niczego Twojego.',
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
