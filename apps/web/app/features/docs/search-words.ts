/**
 * What readers say, and what the guide says instead. All in letters without marks, as `plainText` leaves them; a word of
 * four letters or more stands for all that begin with it, whatever their endings.
 */
import type { Language } from '@wakestone/contract/primitives'

const words = (list: string) => new Set(list.split(' '))

/** Stop words: they say nothing of what a question is about. */
export const stopWords: Record<Language, ReadonlySet<string>> = {
  en: words(
    'a about am an and any are at be but by can cannot could do does doesn don for from get give go has have how i if in into is it its let make me my myself no not of on or our own please should so t that the their them there they this to up us want was we what when where which who why will with would you your',
  ),
  pl: words(
    'a aby albo ale bo by byc chce co czemu czy dac daj dla dlaczego do gdy gdzie go i ich jak jaka jaki jakie jest jestem ma mam mi mnie mnoj moge moj moja moje mojego mozna moze na nad nie o od oraz po pod przez przy sa sam sie siebie skad sobie swoj swoja swoje swojego ta tak ten to trzeba tu tym w we wlasny z za ze zeby zostac zrobic',
  ),
  de: words(
    'aber als am an auf aus bei bekomme bin bitte da das dass dem den der des die dies diese diesen du ein eine einem einen einer er es fur geht gibt habe haben hat ich ihr im in ins ist kann kein keine komme man mein meine meinem meinen meiner mich mir mit nach nicht oder ohne selbst sich sie sind so uber um und uns unser unter von vom vor wann warum was wegen welche wenn wer werde werden wie wieso will wir wird wo zu zum zur',
  ),
}

/** Each line: words for the same thing. Those of several words are recognised in what was typed, not looked for. */
const sameWords: Record<Language, readonly string[]> = {
  en: [
    'refund, withdraw, cancel, return, money back, chargeback, complaint',
    'invoice, receipt, bill, vat',
    'lag, lags, laggy, laggi, slow, stutter, freez, tps, ticks',
    'op, oped, opped, operator, admin',
    'crossplay, cross play, cross platform, geyser, bedrock, phone, mobile, console edition, xbox, playstation',
    'password, login, log in, sign in, passphrase',
    'top up, topup, deposit, add money',
    'crash, broken, keeps stopping',
    'delete, remove, erase',
    'whitelist, allowlist',
    'download, export',
  ],
  pl: [
    'zwrot, zwroc, odstap, rezygn, zrezygn, anulow, refund, reklamacj, oddac pieniadze, oddajcie pieniadze, odzysk',
    'faktur, rachun, paragon, potwierdzenia sprzedazy, invoice, vat',
    'lag, lagi, lagow, laguj, zacina, przycina, tnie, spowaln, powoln, dziala wolno, tps, ticki',
    'op, opa, operator, admin',
    'crossplay, cross play, geyser, bedrock, telefon, komork, xbox, playstation',
    'haslo, hasla, haslem, zalogow, logowan',
    'doladow, wplac, wplat',
    'awari, crash, wywala, wysypuje',
    'usun, skasow, kasow',
    'biala lista, bialej liscie, bialej listy, whitelist',
    'pobrac, pobier, pobran, sciagn, download',
  ],
  de: [
    'widerruf, ruckerstatt, erstatt, kundig, storn, ruckgabe, refund, geld zuruck, zuruckgeben',
    'rechnung, beleg, quittung, mwst',
    'lag, lags, laggt, ruckel, ruckelt, stock, langsam, tps, ticks',
    'op, operator, admin',
    'crossplay, cross play, geyser, bedrock, handy, konsole edition, xbox, playstation',
    'passwort, kennwort, anmeld, einlogg, login',
    'auflad, aufgelad, einzahl',
    'absturz, absturze, sturzt, crash',
    'losch, entfern',
    'whitelist, erlaubnisliste',
    'herunterlad, runterlad, download',
  ],
}

/** Groups of words for the same thing. */
export const synonyms = Object.fromEntries(
  Object.entries(sameWords).map(([language, lines]) => [language, lines.map((line) => line.split(', '))]),
) as Record<Language, string[][]>
