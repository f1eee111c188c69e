/** What players read when the gateway itself answers: one line that says how things are, one that says what to do. */
import type { Route } from '@wakestone/protocol/gateway'
import type { ColorToken, TextSpan } from '@wakestone/minecraft/text'

export type Language = Route['language']
/** Why the gateway answers in place of a game. */
export type Situation =
  | Exclude<Route['state'], 'running' | 'light_sleep'>
  | 'waking'
  | 'unreachable'
  | 'unknown'
  | 'unnamed'
  // why a player is not let in while the game cannot say so itself
  | 'banned'
  | 'banned_address'
  | 'not_whitelisted'
  | 'knocked_too_often'
  | 'crowded'
  | 'locked'
  | 'no_place'
  | 'hours_used_up'
  | 'not_woken'
  // what newcomers read while bots are kept out
  | 'rejoin'
  | 'too_soon'
  | 'checking'
  | 'room_failed'
  | 'flood'
  | 'server_busy'

/** `timed` stands for the title where the seconds are known. */
type Message = { title: string; timed?: string; hint: string }

const messages: Record<Language, Record<Situation, Message>> = {
  en: {
    stopped: { title: '{name} is stopped', hint: 'Its owner can start it again.' },
    starting: { title: '{name} is starting', hint: 'Knock again in half a minute.' },
    preparing: { title: '{name} is being prepared', hint: 'It opens in a few minutes.' },
    stopping: { title: '{name} is stopping', hint: 'The world is being saved.' },
    crashed: { title: '{name} has crashed', hint: 'Its owner can see why in the console.' },
    expired: { title: '{name} has expired', hint: 'Its owner can renew it.' },
    unreachable: { title: '{name} is not responding', hint: 'Knock again in a moment.' },
    unknown: { title: 'No server lives at this address', hint: 'Check the spelling, then knock again.' },
    unnamed: { title: 'Which server do you mean?', hint: 'This version of the game is too old to say.' },
    asleep: { title: '{name} is asleep', hint: 'Join to wake it.' },
    waking: {
      title: '{name} is waking up',
      timed: '{name} is waking up (about {seconds} s)',
      hint: 'You can join in a moment.',
    },
    banned: { title: 'You are banned from this server', hint: '' },
    banned_address: { title: 'Your IP address is banned from this server', hint: '' },
    not_whitelisted: { title: 'You are not whitelisted on this server!', hint: '' },
    knocked_too_often: {
      title: '{name} is asleep',
      hint: 'Your network has knocked too often. Wait a few minutes.',
    },
    crowded: { title: '{name} is waking up', hint: 'Too many players are waiting already. Try again in a moment.' },
    locked: { title: '{name} is locked', hint: 'Its owner can find out why in the panel.' },
    no_place: { title: '{name} is asleep', hint: 'All free places are taken. Its owner can queue in the panel.' },
    hours_used_up: { title: '{name} is asleep', hint: 'It has used up its free time for today.' },
    not_woken: { title: '{name} could not be woken', hint: 'Knock again in a moment.' },
    rejoin: {
      title: 'Join once more',
      hint: '{name} is keeping bots out. Join again within {seconds} s and you are in.',
    },
    too_soon: { title: 'That was quick', hint: 'Wait two seconds, then join again. {name} is keeping bots out.' },
    checking: {
      title: 'One moment',
      hint: '{name} is keeping bots out. You will be let in as soon as it is clear that you are not one.',
    },
    room_failed: {
      title: 'Join again',
      hint: '{name} is keeping bots out, and your game did not answer in time.',
    },
    flood: {
      title: '{name} is keeping bots out',
      hint: 'Too many players have come from your network. Wait a minute.',
    },
    server_busy: {
      title: '{name} is keeping bots out',
      hint: 'It lets in a few newcomers at a time. Try again in a moment.',
    },
  },
  pl: {
    stopped: { title: '{name} jest zatrzymany', hint: 'Właściciel może go znów uruchomić.' },
    starting: { title: '{name} się uruchamia', hint: 'Zapukaj ponownie za pół minuty.' },
    preparing: { title: '{name} jest przygotowywany', hint: 'Otworzy się za kilka minut.' },
    stopping: { title: '{name} się zatrzymuje', hint: 'Świat jest właśnie zapisywany.' },
    crashed: { title: '{name} uległ awarii', hint: 'Właściciel zobaczy przyczynę w konsoli.' },
    expired: { title: '{name} wygasł', hint: 'Właściciel może go przedłużyć.' },
    unreachable: { title: '{name} nie odpowiada', hint: 'Zapukaj ponownie za chwilę.' },
    unknown: { title: 'Pod tym adresem nie ma serwera', hint: 'Sprawdź pisownię i zapukaj ponownie.' },
    unnamed: { title: 'O który serwer chodzi?', hint: 'Ta wersja gry jest zbyt stara, by to powiedzieć.' },
    asleep: { title: '{name} śpi', hint: 'Dołącz, aby go obudzić.' },
    waking: {
      title: '{name} się budzi',
      timed: '{name} się budzi (około {seconds} s)',
      hint: 'Za chwilę będzie można dołączyć.',
    },
    banned: { title: 'Zbanowano cię na tym serwerze', hint: '' },
    banned_address: { title: 'Twój adres IP został zbanowany na tym serwerze', hint: '' },
    not_whitelisted: { title: 'Nie jesteś na białej liście tego serwera!', hint: '' },
    knocked_too_often: { title: '{name} śpi', hint: 'Z twojej sieci pukano zbyt często. Odczekaj kilka minut.' },
    crowded: { title: '{name} się budzi', hint: 'Zbyt wielu graczy już czeka. Spróbuj ponownie za chwilę.' },
    locked: { title: '{name} jest zablokowany', hint: 'Właściciel znajdzie powód w panelu.' },
    no_place: {
      title: '{name} śpi',
      hint: 'Wszystkie darmowe miejsca są zajęte. Właściciel może ustawić się w kolejce w panelu.',
    },
    hours_used_up: { title: '{name} śpi', hint: 'Wykorzystał już dzisiejszy darmowy czas.' },
    not_woken: { title: 'Nie udało się obudzić: {name}', hint: 'Zapukaj ponownie za chwilę.' },
    rejoin: {
      title: 'Dołącz jeszcze raz',
      hint: '{name} broni się przed botami. Dołącz ponownie w ciągu {seconds} s, a wejdziesz.',
    },
    too_soon: {
      title: 'Trochę za szybko',
      hint: 'Odczekaj dwie sekundy i dołącz ponownie. {name} broni się przed botami.',
    },
    checking: {
      title: 'Chwileczkę',
      hint: '{name} broni się przed botami. Wejdziesz, gdy tylko będzie jasne, że nim nie jesteś.',
    },
    room_failed: {
      title: 'Dołącz ponownie',
      hint: '{name} broni się przed botami, a twoja gra nie odpowiedziała na czas.',
    },
    flood: {
      title: '{name} broni się przed botami',
      hint: 'Z twojej sieci przyszło zbyt wielu graczy. Odczekaj minutę.',
    },
    server_busy: {
      title: '{name} broni się przed botami',
      hint: 'Nowi gracze wchodzą po kilku naraz. Spróbuj ponownie za chwilę.',
    },
  },
  de: {
    stopped: { title: '{name} ist gestoppt', hint: 'Der Besitzer kann ihn wieder starten.' },
    starting: { title: '{name} startet gerade', hint: 'Klopf in einer halben Minute noch einmal an.' },
    preparing: { title: '{name} wird vorbereitet', hint: 'In ein paar Minuten ist er offen.' },
    stopping: { title: '{name} fährt herunter', hint: 'Die Welt wird gerade gespeichert.' },
    crashed: { title: '{name} ist abgestürzt', hint: 'Den Grund zeigt die Konsole dem Besitzer.' },
    expired: { title: '{name} ist abgelaufen', hint: 'Der Besitzer kann ihn verlängern.' },
    unreachable: { title: '{name} antwortet nicht', hint: 'Klopf gleich noch einmal an.' },
    unknown: {
      title: 'Unter dieser Adresse wohnt kein Server',
      hint: 'Prüfe die Schreibweise und klopf noch einmal an.',
    },
    unnamed: { title: 'Welcher Server ist gemeint?', hint: 'Diese Spielversion ist zu alt, um es zu sagen.' },
    asleep: { title: '{name} schläft', hint: 'Tritt bei, um ihn zu wecken.' },
    waking: {
      title: '{name} wacht auf',
      timed: '{name} wacht auf (noch etwa {seconds} s)',
      hint: 'Gleich kannst du beitreten.',
    },
    banned: { title: 'Du bist von diesem Server gebannt', hint: '' },
    banned_address: { title: 'Deine IP-Adresse ist von diesem Server gebannt', hint: '' },
    not_whitelisted: { title: 'Du stehst nicht auf der Whitelist dieses Servers!', hint: '' },
    knocked_too_often: {
      title: '{name} schläft',
      hint: 'Aus deinem Netz wurde zu oft angeklopft. Warte ein paar Minuten.',
    },
    crowded: { title: '{name} wacht auf', hint: 'Es warten schon zu viele. Versuch es gleich noch einmal.' },
    locked: { title: '{name} ist gesperrt', hint: 'Den Grund erfährt der Besitzer im Panel.' },
    no_place: {
      title: '{name} schläft',
      hint: 'Alle kostenlosen Plätze sind belegt. Der Besitzer kann sich im Panel anstellen.',
    },
    hours_used_up: { title: '{name} schläft', hint: 'Seine kostenlose Zeit für heute ist aufgebraucht.' },
    not_woken: { title: '{name} ließ sich nicht wecken', hint: 'Klopf gleich noch einmal an.' },
    rejoin: {
      title: 'Tritt noch einmal bei',
      hint: '{name} wehrt gerade Bots ab. Tritt innerhalb von {seconds} s erneut bei, dann bist du drin.',
    },
    too_soon: {
      title: 'Das war zu schnell',
      hint: 'Warte zwei Sekunden und tritt erneut bei. {name} wehrt gerade Bots ab.',
    },
    checking: {
      title: 'Einen Moment',
      hint: '{name} wehrt gerade Bots ab. Sobald klar ist, dass du keiner bist, geht es weiter.',
    },
    room_failed: {
      title: 'Bitte tritt erneut bei',
      hint: '{name} wehrt gerade Bots ab, und dein Spiel hat nicht rechtzeitig geantwortet.',
    },
    flood: {
      title: '{name} wehrt gerade Bots ab',
      hint: 'Aus deinem Netz kamen zu viele. Warte eine Minute.',
    },
    server_busy: {
      title: '{name} wehrt gerade Bots ab',
      hint: 'Neue kommen nur nach und nach hinein. Versuch es gleich noch einmal.',
    },
  },
}

const colors: Record<Situation, ColorToken> = {
  stopped: 'dusk',
  starting: 'lantern',
  preparing: 'lantern',
  stopping: 'dusk',
  crashed: 'ember',
  expired: 'ember',
  unreachable: 'ember',
  unknown: 'muted',
  unnamed: 'muted',
  asleep: 'dusk',
  waking: 'lantern',
  banned: 'ember',
  banned_address: 'ember',
  not_whitelisted: 'ember',
  knocked_too_often: 'dusk',
  crowded: 'lantern',
  locked: 'ember',
  no_place: 'dusk',
  hours_used_up: 'dusk',
  not_woken: 'ember',
  rejoin: 'lantern',
  too_soon: 'lantern',
  checking: 'lantern',
  room_failed: 'lantern',
  flood: 'ember',
  server_busy: 'ember',
}

/** A server's name is its owner's choice: it must not add lines or colours of its own. */
function withoutCodes(name: string): string {
  return name.replace(/[§\p{Cc}]/gu, '').slice(0, 64)
}

/** The coloured pieces of a message. Without a hint it fits the one line of old clients. */
export function messageSpans(options: {
  situation: Situation
  language: Language
  serverName: string
  between: string
  withHint: boolean
  /** Until the game is up, or for which they may come again; null and missing: unknown. */
  seconds?: number | null | undefined
}): TextSpan[] {
  const { situation, language, serverName, between, withHint, seconds } = options
  const { title, timed = title, hint } = messages[language][situation]
  const fill = (text: string) =>
    text.replace('{name}', () => withoutCodes(serverName)).replace('{seconds}', String(seconds))
  const text = fill(seconds == null ? title : timed)
  const spans: TextSpan[] = [{ text, color: colors[situation], bold: true }]
  if (withHint && hint !== '') spans.push({ text: `${between}${fill(hint)}`, color: 'muted' })
  return spans
}
