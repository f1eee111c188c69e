/** What the mails of an account say. */
import type { Language } from '@wakestone/contract/primitives'

type Said = {
  username?: string
  ip?: string
  country?: string
  userAgent?: string
  at?: string
  reason?: string
  factor?: string
  left?: number
}
export type Texts = { subject: string; title: string; text: (said: Said) => string; foot: string }
export type TextsWithButton = Texts & { button: string }
type AccountMails = Record<'login' | 'delete_account', Texts> &
  Record<
    | 'confirm_email'
    | 'change_email'
    | 'reset_password'
    | 'password_changed'
    | 'email_changed'
    | 'session_stolen'
    | 'new_device'
    | 'deletion_scheduled'
    | 'account_suspended'
    | 'account_restored',
    TextsWithButton
  >

export const accountMailTexts: Record<Language, AccountMails> = {
  en: {
    confirm_email: {
      subject: 'Confirm your e-mail address',
      title: 'One click and you are in',
      text: ({ username }) =>
        `Hi ${username}, please confirm that this address is yours. The link works once and for 24 hours.`,
      button: 'Confirm my address',
      foot: 'You did not register with us? Then simply ignore this message.',
    },
    change_email: {
      subject: 'Confirm your new e-mail address',
      title: 'Is this your new address?',
      text: ({ username }) =>
        `Hi ${username}, from the click on, your account uses this address. All devices are signed out then. The link works once and for 60 minutes.`,
      button: 'Use this address',
      foot: 'You did not ask for this? Then simply ignore this message; nothing changes.',
    },
    reset_password: {
      subject: 'Choose a new password',
      title: 'A new password',
      text: ({ username }) =>
        `Hi ${username}, choose a new password with this link. All devices are signed out then. It works once and for 60 minutes.`,
      button: 'Choose a password',
      foot: 'You did not ask for this? Then simply ignore this message; your password stays as it is.',
    },
    login: {
      subject: 'Your sign-in code',
      title: 'Your sign-in code',
      text: () => 'Type it where you asked for it. It works once, for 10 minutes, in that browser only.',
      foot: 'You did not ask for a code? Then ignore this message, and tell the code to nobody.',
    },
    delete_account: {
      subject: 'Confirm that your account is to be deleted',
      title: 'Delete your account?',
      text: () =>
        'With this code you confirm it. The account is deleted 14 days later; until then you can change your mind. The code works once, for 10 minutes.',
      foot: 'You did not ask for this? Somebody is signed in to your account: change your password now.',
    },
    password_changed: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      text: ({ username }) =>
        `Hi ${username}, the password of your account is a new one, and other devices are signed out.`,
      button: 'It was not me',
      foot: 'It was you? Then there is nothing to do.',
    },
    email_changed: {
      subject: 'Your e-mail address was changed',
      title: 'Your account has another address now',
      text: ({ username }) =>
        `Hi ${username}, your account uses another e-mail address from now on. This is the last message to this one.`,
      button: 'Open my account',
      foot: 'It was not you? Write to us at once.',
    },
    session_stolen: {
      subject: 'We signed a device out of your account',
      title: 'A device was signed out',
      text: ({ username }) =>
        `Hi ${username}, somebody used a sign-in of yours that had been replaced. It may have been copied, so that device was signed out.`,
      button: 'See my devices',
      foot: 'If you do not know why, change your password.',
    },
    new_device: {
      subject: 'A new device signed in to your account',
      title: 'Was this you?',
      text: ({ username, country, ip, userAgent }) =>
        `Hi ${username}, somebody signed in to your account on a new device. Place: ${country} (${ip}). Browser: ${userAgent || 'unknown'}.`,
      button: 'See my devices',
      foot: 'It was you? Then there is nothing to do. If not, sign the device out and change your password.',
    },
    deletion_scheduled: {
      subject: 'Your account will be deleted',
      title: 'Your account will be deleted',
      text: ({ username, at }) =>
        `Hi ${username}, as you wished, your account will be deleted on ${at}. Until then you can change your mind.`,
      button: 'Keep my account',
      foot: 'It was not you? Keep the account and change your password.',
    },
    account_suspended: {
      subject: 'Your account is suspended',
      title: 'Your account is suspended',
      text: ({ username, reason }) =>
        `Hi ${username}, we have suspended your account. You cannot sign in, and your servers are stopped; their files are kept. The reason: ${reason}`,
      button: 'Write to us',
      foot: 'You think that we are wrong? Write to us, and we look at it again.',
    },
    account_restored: {
      subject: 'Your account is open again',
      title: 'Welcome back',
      text: ({ username }) =>
        `Hi ${username}, the suspension of your account has ended. You can sign in again, and servers that were running are starting.`,
      button: 'Sign in',
      foot: 'Everything is where you left it.',
    },
  },
  pl: {
    confirm_email: {
      subject: 'Potwierdź swój adres e-mail',
      title: 'Jedno kliknięcie i gotowe',
      text: ({ username }) =>
        `Cześć ${username}, potwierdź, że ten adres należy do Ciebie. Link działa raz, przez 24 godziny.`,
      button: 'Potwierdzam adres',
      foot: 'To nie Ty zakładasz konto? Po prostu zignoruj tę wiadomość.',
    },
    change_email: {
      subject: 'Potwierdź nowy adres e-mail',
      title: 'Czy to Twój nowy adres?',
      text: ({ username }) =>
        `Cześć ${username}, po kliknięciu Twoje konto będzie używać tego adresu, a wszystkie urządzenia zostaną wylogowane. Link działa raz, przez 60 minut.`,
      button: 'Używaj tego adresu',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość, nic się nie zmieni.',
    },
    reset_password: {
      subject: 'Ustaw nowe hasło',
      title: 'Nowe hasło',
      text: ({ username }) =>
        `Cześć ${username}, tym linkiem ustawisz nowe hasło. Wszystkie urządzenia zostaną wtedy wylogowane. Link działa raz, przez 60 minut.`,
      button: 'Ustawiam hasło',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość, hasło pozostanie bez zmian.',
    },
    login: {
      subject: 'Twój kod logowania',
      title: 'Twój kod logowania',
      text: () => 'Wpisz go tam, gdzie o niego prosisz. Działa raz, przez 10 minut i tylko w tej przeglądarce.',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość i nie podawaj kodu nikomu.',
    },
    delete_account: {
      subject: 'Potwierdź usunięcie konta',
      title: 'Usunąć konto?',
      text: () =>
        'Tym kodem potwierdzasz usunięcie. Konto zniknie po 14 dniach, do tego czasu możesz zmienić zdanie. Kod działa raz, przez 10 minut.',
      foot: 'To nie Twoja prośba? Ktoś jest zalogowany na Twoim koncie: zmień hasło już teraz.',
    },
    password_changed: {
      subject: 'Hasło zostało zmienione',
      title: 'Hasło zostało zmienione',
      text: ({ username }) =>
        `Cześć ${username}, Twoje konto ma nowe hasło, a pozostałe urządzenia zostały wylogowane.`,
      button: 'To nie ja',
      foot: 'To Twoja zmiana? W takim razie nic nie musisz robić.',
    },
    email_changed: {
      subject: 'Adres e-mail został zmieniony',
      title: 'Twoje konto ma teraz inny adres',
      text: ({ username }) =>
        `Cześć ${username}, od teraz Twoje konto używa innego adresu e-mail. To ostatnia wiadomość wysłana na ten adres.`,
      button: 'Otwórz moje konto',
      foot: 'To nie Twoja zmiana? Napisz do nas od razu.',
    },
    session_stolen: {
      subject: 'Wylogowaliśmy urządzenie z Twojego konta',
      title: 'Urządzenie zostało wylogowane',
      text: ({ username }) =>
        `Cześć ${username}, ktoś użył Twojego logowania, które zostało już zastąpione nowym. Mogło zostać skopiowane, dlatego to urządzenie zostało wylogowane.`,
      button: 'Zobacz moje urządzenia',
      foot: 'Jeśli nie wiesz, skąd to się wzięło, zmień hasło.',
    },
    new_device: {
      subject: 'Nowe urządzenie zalogowało się na Twoje konto',
      title: 'Czy to Ty?',
      text: ({ username, country, ip, userAgent }) =>
        `Cześć ${username}, ktoś zalogował się na Twoje konto na nowym urządzeniu. Miejsce: ${country} (${ip}). Przeglądarka: ${userAgent || 'nieznana'}.`,
      button: 'Zobacz moje urządzenia',
      foot: 'To Ty? Nic nie musisz robić. Jeśli nie, wyloguj to urządzenie i zmień hasło.',
    },
    deletion_scheduled: {
      subject: 'Twoje konto zostanie usunięte',
      title: 'Twoje konto zostanie usunięte',
      text: ({ username, at }) =>
        `Cześć ${username}, zgodnie z Twoim życzeniem konto zostanie usunięte: ${at}. Do tego czasu możesz zmienić zdanie.`,
      button: 'Zachowaj moje konto',
      foot: 'To nie Twoja prośba? Zachowaj konto i zmień hasło.',
    },
    account_suspended: {
      subject: 'Twoje konto jest zawieszone',
      title: 'Twoje konto jest zawieszone',
      text: ({ username, reason }) =>
        `Cześć ${username}, Twoje konto zostało zawieszone. Nie możesz się zalogować, a Twoje serwery są zatrzymane; ich pliki zostają. Powód: ${reason}`,
      button: 'Napisz do nas',
      foot: 'Uważasz, że się mylimy? Napisz do nas, sprawdzimy to jeszcze raz.',
    },
    account_restored: {
      subject: 'Twoje konto znów działa',
      title: 'Witaj z powrotem',
      text: ({ username }) =>
        `Cześć ${username}, zawieszenie Twojego konta się skończyło. Możesz się znów zalogować, a serwery, które działały, właśnie startują.`,
      button: 'Zaloguj się',
      foot: 'Wszystko jest tam, gdzie było.',
    },
  },
  de: {
    confirm_email: {
      subject: 'Bestätige deine E-Mail-Adresse',
      title: 'Ein Klick, und du bist drin',
      text: ({ username }) =>
        `Hallo ${username}, bitte bestätige, dass diese Adresse dir gehört. Der Link gilt einmal und 24 Stunden lang.`,
      button: 'Adresse bestätigen',
      foot: 'Du hast dich nicht registriert? Dann ignoriere diese Nachricht einfach.',
    },
    change_email: {
      subject: 'Bestätige deine neue E-Mail-Adresse',
      title: 'Ist das deine neue Adresse?',
      text: ({ username }) =>
        `Hallo ${username}, mit dem Klick nutzt dein Konto diese Adresse, und alle Geräte werden abgemeldet. Der Link gilt einmal und 60 Minuten lang.`,
      button: 'Diese Adresse nutzen',
      foot: 'Du warst das nicht? Dann ignoriere diese Nachricht, es ändert sich nichts.',
    },
    reset_password: {
      subject: 'Wähle ein neues Passwort',
      title: 'Ein neues Passwort',
      text: ({ username }) =>
        `Hallo ${username}, mit diesem Link wählst du ein neues Passwort. Alle Geräte werden dann abgemeldet. Er gilt einmal und 60 Minuten lang.`,
      button: 'Passwort wählen',
      foot: 'Du warst das nicht? Dann ignoriere diese Nachricht, dein Passwort bleibt, wie es ist.',
    },
    login: {
      subject: 'Dein Anmeldecode',
      title: 'Dein Anmeldecode',
      text: () =>
        'Gib ihn dort ein, wo du ihn angefordert hast. Er gilt einmal, 10 Minuten lang und nur in diesem Browser.',
      foot: 'Du hast keinen Code angefordert? Dann ignoriere diese Nachricht und gib den Code niemandem.',
    },
    delete_account: {
      subject: 'Bestätige, dass dein Konto gelöscht werden soll',
      title: 'Konto löschen?',
      text: () =>
        'Mit diesem Code bestätigst du es. Das Konto wird 14 Tage später gelöscht; bis dahin kannst du es dir anders überlegen. Der Code gilt einmal, 10 Minuten lang.',
      foot: 'Du warst das nicht? Jemand ist in deinem Konto angemeldet: Ändere jetzt dein Passwort.',
    },
    password_changed: {
      subject: 'Dein Passwort wurde geändert',
      title: 'Dein Passwort wurde geändert',
      text: ({ username }) =>
        `Hallo ${username}, dein Konto hat ein neues Passwort, und andere Geräte sind abgemeldet.`,
      button: 'Das war ich nicht',
      foot: 'Du warst das? Dann ist nichts zu tun.',
    },
    email_changed: {
      subject: 'Deine E-Mail-Adresse wurde geändert',
      title: 'Dein Konto hat jetzt eine andere Adresse',
      text: ({ username }) =>
        `Hallo ${username}, dein Konto nutzt ab jetzt eine andere E-Mail-Adresse. Dies ist die letzte Nachricht an diese hier.`,
      button: 'Mein Konto öffnen',
      foot: 'Du warst das nicht? Schreib uns sofort.',
    },
    session_stolen: {
      subject: 'Wir haben ein Gerät von deinem Konto abgemeldet',
      title: 'Ein Gerät wurde abgemeldet',
      text: ({ username }) =>
        `Hallo ${username}, jemand hat eine Anmeldung von dir benutzt, die schon ersetzt war. Sie könnte kopiert worden sein, deshalb wurde dieses Gerät abgemeldet.`,
      button: 'Meine Geräte ansehen',
      foot: 'Wenn du nicht weißt, woher das kommt, ändere dein Passwort.',
    },
    new_device: {
      subject: 'Ein neues Gerät hat sich bei deinem Konto angemeldet',
      title: 'Warst du das?',
      text: ({ username, country, ip, userAgent }) =>
        `Hallo ${username}, jemand hat sich auf einem neuen Gerät bei deinem Konto angemeldet. Ort: ${country} (${ip}). Browser: ${userAgent || 'unbekannt'}.`,
      button: 'Meine Geräte ansehen',
      foot: 'Du warst das? Dann ist nichts zu tun. Wenn nicht, melde das Gerät ab und ändere dein Passwort.',
    },
    deletion_scheduled: {
      subject: 'Dein Konto wird gelöscht',
      title: 'Dein Konto wird gelöscht',
      text: ({ username, at }) =>
        `Hallo ${username}, wie gewünscht wird dein Konto am ${at} gelöscht. Bis dahin kannst du es dir anders überlegen.`,
      button: 'Konto behalten',
      foot: 'Du warst das nicht? Behalte das Konto und ändere dein Passwort.',
    },
    account_suspended: {
      subject: 'Dein Konto ist gesperrt',
      title: 'Dein Konto ist gesperrt',
      text: ({ username, reason }) =>
        `Hallo ${username}, wir haben dein Konto gesperrt. Du kannst dich nicht anmelden, und deine Server sind angehalten; ihre Dateien bleiben erhalten. Der Grund: ${reason}`,
      button: 'Schreib uns',
      foot: 'Du meinst, wir irren uns? Schreib uns, dann sehen wir es uns noch einmal an.',
    },
    account_restored: {
      subject: 'Dein Konto ist wieder offen',
      title: 'Willkommen zurück',
      text: ({ username }) =>
        `Hallo ${username}, die Sperre deines Kontos ist aufgehoben. Du kannst dich wieder anmelden, und Server, die liefen, starten gerade.`,
      button: 'Anmelden',
      foot: 'Alles ist da, wo du es gelassen hast.',
    },
  },
}
