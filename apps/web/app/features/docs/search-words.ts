/**
 * Words of a question that tell little or nothing. All in letters without marks, as `plainText` leaves them. What readers
 * call a thing is written beside it in the guide (`<!-- also: … -->`), not here.
 */
import type { Language } from '@wakestone/contract/primitives'

const words = (list: string) => new Set(list.split(' '))

/** They say nothing of what a question is about. */
export const stopWords: Record<Language, ReadonlySet<string>> = {
  en: words(
    'a about all am an and any are at be been but by can could did do does e for from get getting give go had has have help hello hi how i if im in into is it its ive just let make me my myself need of on or our own please s should so t that the their them then there they this to try trying up us want was we what whats when where which who why will with would you your',
  ),
  pl: words(
    'a aby albo ale bardzo bo by byc byl bylo chce chcialbym co czemu cos czy da dac daj dla dlaczego do e gdy gdzie go i ich jak jaka jaki jakie jakis jest jestem juz ktos ktory ma mam mi mnie mnoj moc moga moge mogl moga moi moich moim moj moja moje mojego moich mojej mozna moze musze na nad o od ode on oni oraz po pod pomocy potrzebuje prosze przez przy sa sie siebie skad sobie swoj swoja swoje swojego ta tak te tego ten to trzeba tu tym u w we wlasny z za ze zeby zostac zrobic',
  ),
  de: words(
    'aber alle als am an auf aus bei bekomme bin bitte da das dass dem den der des die dies diese diesen du e ein eine einem einen einer er es fur gehen geht gerne gibt habe haben hallo hat ich ihr im in ins ist jemand kann konnen lassen machen man mein meine meinem meinen meiner mich mir mit mochte muss nach oder ohne schon sein selbst sich sie sind so soll uber um und uns unser unter vom von vor wann war warum was wegen welche wenn wer werde werden wie wieso will wir wird wo wurde zu zum zur',
  ),
}

/** They are part of too many questions to tell one from another, yet a question with them is nearer to an answer with them. */
export const lightWords: Record<Language, ReadonlySet<string>> = {
  en: words('server servers minecraft game got'),
  pl: words('serwer serwera serwerze serwerem serwery serwerow minecraft minecrafta gra grac grze sam sama samo'),
  de: words('server servers serverns minecraft spiel'),
}

/** They turn a question round: not to start is no way to start. */
export const negations: Record<Language, ReadonlySet<string>> = {
  en: words('not cannot cant couldnt dont doesnt didnt wont isnt no never'),
  pl: words('nie brak'),
  de: words('nicht kein keine keinen nie'),
}
