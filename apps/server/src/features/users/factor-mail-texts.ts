/** What the mails about second factors say. */
import type { Language } from '@wakestone/contract/primitives'
import type { Texts, TextsWithButton } from './mail-texts.ts'

type FactorMails = Record<'step_up', Texts> &
  Record<'factor_added' | 'factor_removed' | 'recovery_codes_new' | 'recovery_code_used', TextsWithButton>

export const factorMailTexts: Record<Language, FactorMails> = {
  en: {
    step_up: {
      subject: 'Your confirmation code',
      title: 'Is it you?',
      text: () => 'With this code you confirm that it is you. It works once, for 10 minutes.',
      foot: 'You did not ask for a code? Somebody is signed in to your account: sign all devices out.',
    },
    factor_added: {
      subject: 'Your account is guarded better now',
      title: 'A second step was added',
      text: ({ username, factor }) =>
        `Hi ${username}, your account has one more way to prove that it is you: ${factor}.`,
      button: 'See my security',
      foot: 'It was not you? Remove it, and change your password.',
    },
    factor_removed: {
      subject: 'A second step was removed from your account',
      title: 'A second step was removed',
      text: ({ username, factor }) => `Hi ${username}, your account no longer accepts: ${factor}.`,
      button: 'See my security',
      foot: 'It was not you? Change your password and sign other devices out.',
    },
    recovery_codes_new: {
      subject: 'You have new recovery codes',
      title: 'New recovery codes',
      text: ({ username }) =>
        `Hi ${username}, ten new recovery codes were made for your account. Those before no longer work.`,
      button: 'See my security',
      foot: 'It was not you? Change your password, then make new codes.',
    },
    recovery_code_used: {
      subject: 'A recovery code was used',
      title: 'A recovery code was used',
      text: ({ username, left = 0 }) =>
        `Hi ${username}, somebody used one of your recovery codes. Codes left: ${left}.`,
      button: 'See my security',
      foot: 'It was not you? Change your password, then make new codes.',
    },
  },
  pl: {
    step_up: {
      subject: 'Twój kod potwierdzenia',
      title: 'Czy to Ty?',
      text: () => 'Tym kodem potwierdzasz, że to Ty. Działa raz, przez 10 minut.',
      foot: 'To nie Twoja prośba? Ktoś jest zalogowany na Twoim koncie: wyloguj wszystkie urządzenia.',
    },
    factor_added: {
      subject: 'Twoje konto jest lepiej chronione',
      title: 'Dodano drugi krok',
      text: ({ username, factor }) =>
        `Cześć ${username}, Twoje konto ma kolejny sposób na potwierdzenie, że to Ty: ${factor}.`,
      button: 'Zobacz zabezpieczenia',
      foot: 'To nie Ty? Usuń go i zmień hasło.',
    },
    factor_removed: {
      subject: 'Usunięto drugi krok z Twojego konta',
      title: 'Usunięto drugi krok',
      text: ({ username, factor }) => `Cześć ${username}, Twoje konto nie przyjmuje już: ${factor}.`,
      button: 'Zobacz zabezpieczenia',
      foot: 'To nie Ty? Zmień hasło i wyloguj inne urządzenia.',
    },
    recovery_codes_new: {
      subject: 'Masz nowe kody zapasowe',
      title: 'Nowe kody zapasowe',
      text: ({ username }) =>
        `Cześć ${username}, dla Twojego konta powstało dziesięć nowych kodów zapasowych. Poprzednie już nie działają.`,
      button: 'Zobacz zabezpieczenia',
      foot: 'To nie Ty? Zmień hasło, a potem utwórz nowe kody.',
    },
    recovery_code_used: {
      subject: 'Użyto kodu zapasowego',
      title: 'Użyto kodu zapasowego',
      text: ({ username, left = 0 }) =>
        `Cześć ${username}, ktoś użył jednego z Twoich kodów zapasowych. Pozostało kodów: ${left}.`,
      button: 'Zobacz zabezpieczenia',
      foot: 'To nie Ty? Zmień hasło, a potem utwórz nowe kody.',
    },
  },
  de: {
    step_up: {
      subject: 'Dein Bestätigungscode',
      title: 'Bist du es?',
      text: () => 'Mit diesem Code bestätigst du, dass du es bist. Er gilt einmal, 10 Minuten lang.',
      foot: 'Du hast keinen Code angefordert? Jemand ist in deinem Konto angemeldet: Melde alle Geräte ab.',
    },
    factor_added: {
      subject: 'Dein Konto ist jetzt besser geschützt',
      title: 'Ein zweiter Schritt kam hinzu',
      text: ({ username, factor }) =>
        `Hallo ${username}, dein Konto hat einen weiteren Nachweis, dass du es bist: ${factor}.`,
      button: 'Sicherheit ansehen',
      foot: 'Das warst nicht du? Entferne ihn und ändere dein Passwort.',
    },
    factor_removed: {
      subject: 'Ein zweiter Schritt wurde von deinem Konto entfernt',
      title: 'Ein zweiter Schritt wurde entfernt',
      text: ({ username, factor }) => `Hallo ${username}, dein Konto nimmt das nicht mehr an: ${factor}.`,
      button: 'Sicherheit ansehen',
      foot: 'Das warst nicht du? Ändere dein Passwort und melde andere Geräte ab.',
    },
    recovery_codes_new: {
      subject: 'Du hast neue Wiederherstellungscodes',
      title: 'Neue Wiederherstellungscodes',
      text: ({ username }) =>
        `Hallo ${username}, für dein Konto gibt es zehn neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.`,
      button: 'Sicherheit ansehen',
      foot: 'Das warst nicht du? Ändere dein Passwort und erzeuge dann neue Codes.',
    },
    recovery_code_used: {
      subject: 'Ein Wiederherstellungscode wurde benutzt',
      title: 'Ein Wiederherstellungscode wurde benutzt',
      text: ({ username, left = 0 }) =>
        `Hallo ${username}, jemand hat einen deiner Wiederherstellungscodes benutzt. Übrige Codes: ${left}.`,
      button: 'Sicherheit ansehen',
      foot: 'Das warst nicht du? Ändere dein Passwort und erzeuge dann neue Codes.',
    },
  },
}

/** How a mail names a second factor. */
export const factorNames: Record<Language, Record<'totp' | 'passkey', string>> = {
  en: { totp: 'codes of an authenticator app', passkey: 'passkey' },
  pl: { totp: 'kody z aplikacji uwierzytelniającej', passkey: 'klucz dostępu' },
  de: { totp: 'Codes einer Authenticator-App', passkey: 'Passkey' },
}
