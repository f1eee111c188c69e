/** What websites say by themselves, beside what their owners wrote. */
import type { Language } from '@wakestone/contract/values'
import type { PublicState } from '@wakestone/contract/states'
import type { Edition } from './facts.ts'

export type Words = {
  states: Record<PublicState, string>
  state: string
  copy: string
  copied: string
  players: string
  of: string
  version: string
  nobody: string
  more: string
  openMap: string
  noMap: string
  openShop: string
  toContent: string
  pages: string
  languages: string
  language: string
  noServer: string
  chooseServer: string
  toJoin: string
  steps: Record<Edition, readonly string[]>
}

export const words: Record<Language, Words> = {
  en: {
    states: { up: 'Online', asleep: 'Asleep: join to wake it', starting: 'Starting', down: 'Offline' },
    state: 'Status',
    copy: 'Copy address',
    copied: 'Copied',
    players: 'Players',
    of: 'of',
    version: 'Version',
    nobody: 'Nobody is playing right now.',
    more: 'and {count} more',
    openMap: 'Open the map',
    noMap: 'The map is not public at the moment.',
    openShop: 'To the shop',
    toContent: 'To the content',
    pages: 'Pages',
    languages: 'Languages',
    language: 'English',
    noServer: 'This server is not available at the moment.',
    toJoin: 'How to join',
    steps: {
      java: ['Start Minecraft: Java Edition', 'Multiplayer → Add Server', 'Paste the address and join'],
      bedrock: ['Start Minecraft', 'Play → Servers → Add Server', 'Enter the address and join'],
    },
    chooseServer: 'Choose the server that this block is about.',
  },
  pl: {
    states: { up: 'Działa', asleep: 'Śpi: dołącz, a się obudzi', starting: 'Uruchamia się', down: 'Wyłączony' },
    state: 'Stan',
    copy: 'Kopiuj adres',
    copied: 'Skopiowano',
    players: 'Gracze',
    of: 'z',
    version: 'Wersja',
    nobody: 'Teraz nikt nie gra.',
    more: 'i jeszcze {count}',
    openMap: 'Otwórz mapę',
    noMap: 'Mapa nie jest teraz publiczna.',
    openShop: 'Do sklepu',
    toContent: 'Przejdź do treści',
    pages: 'Strony',
    languages: 'Języki',
    language: 'Polski',
    noServer: 'Ten serwer jest teraz niedostępny.',
    toJoin: 'Jak dołączyć',
    steps: {
      java: ['Uruchom Minecraft: Java Edition', 'Tryb wieloosobowy → Dodaj serwer', 'Wklej adres i dołącz'],
      bedrock: ['Uruchom Minecrafta', 'Graj → Serwery → Dodaj serwer', 'Wpisz adres i dołącz'],
    },
    chooseServer: 'Wybierz serwer, którego dotyczy ten blok.',
  },
  de: {
    states: { up: 'Online', asleep: 'Schläft: Tritt bei, um ihn zu wecken', starting: 'Startet', down: 'Offline' },
    state: 'Status',
    copy: 'Adresse kopieren',
    copied: 'Kopiert',
    players: 'Spieler',
    of: 'von',
    version: 'Version',
    nobody: 'Gerade spielt niemand.',
    more: 'und {count} weitere',
    openMap: 'Karte öffnen',
    noMap: 'Die Karte ist gerade nicht öffentlich.',
    openShop: 'Zum Shop',
    toContent: 'Zum Inhalt',
    pages: 'Seiten',
    languages: 'Sprachen',
    language: 'Deutsch',
    noServer: 'Dieser Server ist gerade nicht verfügbar.',
    toJoin: 'So trittst du bei',
    steps: {
      java: ['Starte Minecraft: Java Edition', 'Mehrspieler → Server hinzufügen', 'Adresse einfügen und beitreten'],
      bedrock: ['Starte Minecraft', 'Spielen → Server → Server hinzufügen', 'Adresse eingeben und beitreten'],
    },
    chooseServer: 'Wähle den Server, um den es in diesem Block geht.',
  },
}
