import type { Texts } from './types.ts'

/** Rows of what was bought: what it is for, what it cost, how it was paid. */
const price = '[\n{items}][\nGesamt\t{amount}][\nDavon MwSt.\t{tax}][\nZahlungsart\t{method}]'
const asked =
  '[ Auf deinen Wunsch vom {asked_at} hat die Leistung sofort begonnen; widerrufst du, zahlst du für die genutzte Zeit.]'
const renewalAsked =
  '[ Du hast am {asked_at} zugestimmt, dass der neue Zeitraum innerhalb dieser 14 Tage beginnen darf; widerrufst du dann, zahlst du für die genutzte Zeit.]'
const right =
  '[\n\nBis zum {withdraw_until} (14 Tage) kannst du diesen Kauf ohne Angabe von Gründen widerrufen, unter „Tarif und Zahlungen“.]'
const websiteRight =
  '[\n\nBis zum {withdraw_until} (14 Tage) kannst du diesen Kauf ohne Angabe von Gründen widerrufen, unter „Zahlungen und Verlängerung“.]'

const mine =
  'Du warst das? Dann ist nichts zu tun. Wenn nicht, melde alle Geräte ab, die du nicht kennst, und ändere dein Passwort.'

export const de: Texts = {
  greeting: 'Hallo {username},',
  optional: 'Du bekommst diese Nachricht, weil solche Benachrichtigungen in deinem Konto eingeschaltet sind.',
  footLinks: {
    unsubscribe: 'Keine solchen E-Mails mehr',
    settings: 'Benachrichtigungseinstellungen',
    terms: 'Nutzungsbedingungen',
    paymentTerms: 'Zahlungsbedingungen',
  },
  webhookGreeting: { title: 'Verbunden', text: 'Was du auswählst, kommt ab jetzt in diesem Kanal an.' },
  actions: {
    open_server: 'Server öffnen',
    renew_server: 'Server verlängern',
    open_files: 'Dateien herunterladen',
    open_plan: 'Tarif und Zahlungen',
    open_servers: 'Meine Server ansehen',
    open_shop_orders: 'Bestellungen ansehen',
    open_website: 'Website öffnen',
    open_websites: 'Meine Websites ansehen',
    open_project: 'Projekt öffnen',
    open_moderation: 'Warteschlange öffnen',
    renew_website: 'Website verlängern',
    open_website_plan: 'Zahlungen und Verlängerung',
    open_free_play: 'Warteschlange öffnen',
    open_account: 'Mein Konto öffnen',
    open_wallet: 'Guthaben öffnen',
    open_document: 'Rechnung oder Beleg',
    open_referrals: 'Meine Einladungen ansehen',
    open_bills: 'Meine Rechnungen ansehen',
    open_affiliate: 'Meine Provisionen ansehen',
    see_devices: 'Meine Geräte ansehen',
    open_settings: 'Einstellungen öffnen',
    open_webhooks: 'Webhooks öffnen',
    keep_account: 'Konto behalten',
    open_security: 'Sicherheit ansehen',
    open_reconciliation: 'Abgleich ansehen',
    open_payment_returns: 'Erstattungen und Rückbuchungen ansehen',
    open_ticket: 'Anfrage öffnen',
    write_to_us: 'Uns schreiben',
    change_password: 'Neues Passwort wählen',
  },
  words: {
    invited: 'Du wurdest eingeladen und hast gespielt',
    inviter: 'Jemand, den du eingeladen hast, hat gespielt',
    first_payment: 'Jemand, den du eingeladen hast, hat zum ersten Mal bezahlt',
    forge_missing_mod: 'Eine Mod, die Forge braucht, fehlt',
    out_of_memory: 'Der Arbeitsspeicher reichte nicht',
    forge_mod_load: 'Forge konnte eine Mod nicht laden',
    fabric_mod_load: 'Fabric konnte eine Mod nicht laden',
    fabric_incompatible_mods: 'Einige Fabric-Mods vertragen sich nicht',
    version_downgrade: 'Die Welt stammt aus einer neueren Version des Spiels',
    wrong_java: 'Der Server braucht eine andere Java-Version',
    java_options: 'Java kennt eine der Startoptionen nicht',
    java_fault: 'Java selbst ist abgestürzt',
    killed_for_memory: 'Das Spiel brauchte mehr Arbeitsspeicher, als der Server hat',
    thread_limit: 'Es waren keine Threads mehr frei',
    watchdog: 'Das Spiel hat zu lange nicht reagiert und sich selbst beendet',
    plugin_missing_dependency: 'Ein Plugin, das ein anderes braucht, fehlt',
    ticking_entity: 'Etwas in der Welt bringt das Spiel zum Absturz',
    port_taken: 'Der Port des Servers ist belegt',
    eula: 'Die EULA von Minecraft ist nicht akzeptiert',
    world_locked: 'Ein anderer Prozess benutzt die Welt noch',
    disk_full: 'Der Speicherplatz ist voll',
    unknown: 'Die Ursache kennen wir noch nicht',
    payu: 'PayU',
    paypal: 'PayPal',
    paynow: 'PayNow',
    blik: 'BLIK',
    wallet: 'Guthaben',
    affiliate: 'Empfehlungsguthaben',
    'pay-later': 'später bezahlen',
    unknown_browser: 'unbekannter Browser',
    totp: 'Codes einer Authenticator-App',
    passkey: 'Passkey',
    NEW: 'neu',
    OPEN: 'in Arbeit',
    PENDING: 'Wir haben geantwortet',
    SOLVED: 'gelöst',
    EXTRA_MEMORY: '+{size} GiB Arbeitsspeicher',
    EXTRA_STORAGE: '+{size} GiB Speicherplatz',
    EXTRA_PORTS_one: '+{size} Port',
    EXTRA_PORTS_other: '+{size} Ports',
    BASIC_MAPVIEW: 'Karte',
    BASIC_CRAFTUM: 'Website',
    CLOSED: 'geschlossen',
  },
  kinds: {
    ACCOUNT_EMAIL_CONFIRM: {
      title: 'Bestätige deine E-Mail-Adresse',
      heading: 'Ein Klick, und du bist drin',
      text: 'Bitte bestätige, dass diese Adresse dir gehört. Der Link gilt einmal und 24 Stunden lang.',
      button: 'Adresse bestätigen',
      foot: 'Du hast dich nicht registriert? Dann ignoriere diese Nachricht einfach.',
    },
    ACCOUNT_EMAIL_CHANGE: {
      title: 'Bestätige deine neue E-Mail-Adresse',
      heading: 'Ist das deine neue Adresse?',
      text: 'Mit dem Klick nutzt dein Konto diese Adresse, und alle Geräte werden abgemeldet. Der Link gilt einmal und 60 Minuten lang.',
      button: 'Diese Adresse nutzen',
      foot: 'Du warst das nicht? Dann ignoriere diese Nachricht, es ändert sich nichts.',
    },
    STEP_UP: {
      title: 'Dein Bestätigungscode',
      heading: 'Bist du es?',
      text: 'Mit diesem Code bestätigst du, dass du es bist. Er gilt einmal, 10 Minuten lang.',
      foot: 'Du hast keinen Code angefordert? Dann ist jemand anderes in deinem Konto angemeldet: Melde alle Geräte ab.',
    },
    ACCOUNT_DELETE_CONFIRM: {
      title: 'Bestätige, dass dein Konto gelöscht werden soll',
      heading: 'Konto löschen?',
      text: 'Mit diesem Code bestätigst du es. Das Konto wird 14 Tage später gelöscht; bis dahin kannst du es dir anders überlegen. Der Code gilt einmal, 10 Minuten lang.',
      foot: 'Du warst das nicht? Dann ist jemand anderes in deinem Konto angemeldet: Ändere jetzt dein Passwort.',
    },
    RESET_PASSWORD: {
      title: 'Wähle ein neues Passwort',
      heading: 'Ein neues Passwort',
      text: 'Mit diesem Link wählst du ein neues Passwort. Alle Geräte werden dann abgemeldet. Er gilt einmal und 60 Minuten lang.',
      button: 'Passwort wählen',
      foot: 'Du warst das nicht? Dann ignoriere diese Nachricht, dein Passwort bleibt, wie es ist.',
    },
    FAST_LOGIN: {
      title: 'Dein Anmeldecode',
      text: 'Gib ihn dort ein, wo du ihn angefordert hast. Er gilt einmal, 10 Minuten lang und nur in diesem Browser.',
      foot: 'Du hast keinen Code angefordert? Dann ignoriere diese Nachricht und gib den Code niemandem.',
    },
    FAST_REGISTER: {
      title: 'Dein Anmeldecode',
      heading: 'Willkommen! Hier ist dein Code',
      text: 'Gib ihn dort ein, wo du ihn angefordert hast, und dein Konto ist fertig. Er gilt einmal, 10 Minuten lang und nur in diesem Browser.',
      foot: 'Du hast keinen Code angefordert? Dann ignoriere diese Nachricht, und es entsteht kein Konto.',
    },
    WEBSITE_CREATED: {
      title: '{website} gehört dir',
      text: 'Deine Website wartet auf ihre ersten Worte. Sobald du sie veröffentlichst, ist sie für alle unter {address} zu sehen.',
      mail: `Deine Website wartet auf ihre ersten Worte. Sobald du sie veröffentlichst, ist sie für alle unter {address} zu sehen.[\n\nLäuft bis\t{expires}]${price}${websiteRight}${asked}`,
    },
    WEBSITE_RENEWED: {
      title: '{website} ist verlängert',
      text: 'Sie bleibt bis {expires} online.[ Die Verlängerung hat {amount} gekostet.]',
      mail: `Danke! Deine Website ist verlängert.\n\nLäuft bis\t{expires}${price}${websiteRight}${renewalAsked}`,
    },
    WEBSITE_EXPIRES_WARNING: {
      title: 'Noch {days}, dann läuft {website} ab',
      text: 'Sie geht am {expires} offline, wenn du sie nicht verlängerst.[ Die Verlängerung kostet {amount}, die neue Laufzeit beträgt {period}.]',
    },
    WEBSITE_EXPIRED: {
      title: '{website} ist offline',
      text: 'Die bezahlte Zeit ist um. Verlängere die Website, und sie ist sofort wieder da; sonst wird ihr Inhalt am {deleted_at} gelöscht.',
    },
    WEBSITE_CLEANUP_WARNING: {
      title: 'Noch {days}, dann wird {website} gelöscht',
      text: 'Alle Seiten, Versionen und Bilder gehen dann verloren. Verlängere die Website, und alles bleibt.',
    },
    WEBSITE_CLEANED_UP: {
      title: '{website} wurde gelöscht',
      text: 'Ihre Zeit war um. Die Adresse {address} halten wir noch 30 Tage für dich frei.',
    },
    SERVER_EXPIRED: {
      title: '{server} ist abgelaufen',
      text: 'Der Server ist gestoppt. Verlängere ihn, und es geht weiter wie zuvor; sonst werden seine Dateien am {deleted_at} gelöscht.',
    },
    SERVER_CREATED: {
      title: '{server} wird vorbereitet',
      text: 'Wir bereiten deinen Server vor. Seine Adresse ist {address}.',
      mail: `Danke! Wir bereiten deinen Server vor; meist dauert das keine Minute. Unter {address} können deine Freunde mitspielen.[\n\nTarif\t{product}][\nLäuft bis\t{expires}]${price}${right}${asked}[\n\nEr gehört dir kostenlos bis {free_until}. Sobald höchstens noch {renew_days} übrig sind, kannst du ihn kostenlos verlängern.][ Er kann {day_hours} am Tag laufen, {session_hours} am Stück.]`,
    },
    SERVER_RENEWED: {
      title: '{server} ist verlängert',
      text: 'Er läuft bis {expires}.[ Die Verlängerung hat {amount} gekostet.]',
      mail: `Danke! Dein Server ist verlängert.\n\nLäuft bis\t{expires}${price}${right}${renewalAsked}`,
    },
    SERVER_CRASHED: {
      title: '{server} ist abgestürzt',
      text: 'Wir starten ihn wieder. Abstürze in Folge: {crash_count}. Die letzten Zeilen des Protokolls stehen im Panel.',
    },
    SERVER_TESTING_ENABLED: {
      title: 'Dein Test von {server} hat begonnen',
      text: 'Bis {expires} kannst du alles ausprobieren. Gefällt er dir, behalte ihn; wenn nicht, ist nichts zu tun.',
    },
    SERVER_CLEANED_UP: {
      title: '{server} wurde entfernt',
      text: 'Seine Zeit war um, deshalb sind der Server und seine Dateien gelöscht. Die Adresse bewahren wir noch eine Weile für dich auf.',
    },
    SERVER_RECOMPENSED: {
      title: '{hours} mehr für {server}',
      text: 'Bei uns lief etwas nicht so, wie es sollte. Bitte entschuldige, und danke für deine Geduld.',
    },
    SERVER_BACKUP_FAILED: {
      title: '{server}: Eine Sicherung ist fehlgeschlagen',
      text: 'Die letzte automatische Sicherung konnte nicht erstellt werden. Wir versuchen es automatisch erneut; die früheren Sicherungen sind da.',
    },
    BACKUP_DAMAGED: {
      title: '{server}: Daten einer Sicherung sind beschädigt',
      text: 'Eine zur Probe wiederhergestellte Sicherung entspricht nicht dem, was gesichert wurde, oder lässt sich nicht lesen. Prüfe den Speicher der Sicherungen.',
    },
    SERVER_DISK_QUOTA_WARNING: {
      title: '{server} geht der Platz aus',
      text: '{percent} % des Speicherplatzes sind belegt, {free} sind frei. Ist er voll, kann das Spiel nicht mehr speichern.',
    },
    SERVER_UNDER_ATTACK: {
      title: '{server}: Bots greifen an',
      text: 'Viel mehr Unbekannte als sonst versuchen beizutreten. Sie werden abgewiesen; wer hier schon gespielt hat, kommt wie gewohnt hinein.',
      mail: 'Viel mehr Unbekannte als sonst versuchen, {server} beizutreten. Sie werden abgewiesen. Wer hier schon gespielt hat, kommt wie gewohnt hinein, und Neue müssen zeigen, dass sie Menschen sind. Du musst nichts tun.',
    },
    SERVER_ATTACK_OVER: {
      title: '{server}: Der Angriff ist vorbei',
      text: 'Es ist wieder ruhig. Dauer in Minuten: {minutes}. Abgewiesene Beitritte: {turned_away}.',
    },
    TRASH_MADE_ROOM: {
      title: '{server}: Dateien im Papierkorb mussten Platz machen',
      text: 'Der Speicher war voll, deshalb wurde das Älteste im Papierkorb vor Ablauf der sieben Tage endgültig gelöscht: {path} (zusammen {size}).',
    },
    SERVER_CLEANUP_WARNING: {
      title: 'Noch {days}, dann wird {server} gelöscht',
      text: 'Verlängere ihn, oder starte ihn, wenn er kostenlos ist, und alles bleibt.',
      mail: 'Diesen Server hat seit einer Weile niemand benutzt oder bezahlt. Noch {days}, dann wird er mit allen Dateien gelöscht. Verlängere ihn, oder starte ihn, wenn er kostenlos ist, und alles bleibt.',
    },
    SERVER_ADDRESS_WARNING: {
      title: '{server}: Noch {days}, dann wird die Adresse frei',
      text: 'Der Server ist schon seit einer Weile abgelaufen. Nach dieser Frist ist {address} für andere frei, und der Rest des Servers wird gelöscht.',
    },
    PACKAGE_INSTALL_FAILED: {
      title: 'Auf {server} ließ sich etwas nicht installieren',
      text: '{package} ließ sich nicht installieren. Alles ist wie vorher; der Grund steht im Panel.',
    },
    PROJECT_RELEASED: {
      title: '{project} {version} ist da',
      text: '{project}, dem du folgst, hat eine neue Version: {version}. Was neu ist, steht auf der Projektseite.',
    },
    RELEASE_PUBLISHED: {
      title: '{project} {version} ist veröffentlicht',
      text: 'Die Version hat die Prüfung bestanden und kann jetzt installiert werden.',
    },
    RELEASE_REFUSED: {
      title: '{project} {version} wurde abgelehnt',
      text: 'Die Version hat die Prüfung nicht bestanden. Auf der Projektseite steht, was gefunden wurde; behebe es und reiche sie noch einmal ein.[ Grund: {reason}]',
    },
    RELEASE_WAITING: {
      title: 'Eine Version von {project} wartet',
      text: '{project} {version} erscheint, sobald jemand sie geprüft hat. Sie steht in der Moderationswarteschlange.',
    },
    PACKAGE_UPDATES_AVAILABLE: {
      title: 'Neue Versionen für {server}',
      text: 'Neu sind: {packages}. Du kannst sie im Panel installieren, wann es dir passt.',
    },
    PACKAGE_QUARANTINED: {
      title: 'Ein gefährliches Paket wurde von {server} entfernt',
      text: '{package} hat sich als schädlich erwiesen. Wir haben das Spiel angehalten, das Paket entfernt und das Spiel wieder gestartet. Seine Datei liegt im Ordner .quarantine und tut dort nichts. Ändere alle Passwörter, auf die dieser Server Zugriff hatte.',
    },
    PACKAGE_UNINSTALL_FAILED: {
      title: 'Von {server} ließ sich etwas nicht entfernen',
      text: '{package} ließ sich nicht entfernen. Der Grund steht im Panel.',
    },
    SERVER_EXPIRES_WARNING: {
      title: 'Noch {days}, dann läuft {server} ab',
      text: 'Er stoppt am {expires}, wenn du ihn nicht verlängerst.[ Die Verlängerung kostet {amount}, die neue Laufzeit beträgt {period}.]',
    },
    SERVICE_EXPIRES_WARNING: {
      title: 'Noch {days}, dann läuft {product} ab',
      text: 'Der Zusatz endet am {expires}, wenn du ihn nicht verlängerst.',
    },
    PLAYER_JOINED: { title: '{player} ist auf {server}', text: '{player} spielt jetzt mit.' },
    PLAYER_TRIED_TO_JOIN: {
      title: '{player} klopft bei {server} an',
      text: '{player} wollte mitspielen, doch der Server lief nicht.',
    },
    RECOGNISED_CRASH: {
      title: 'Wir wissen, warum {server} abgestürzt ist',
      text: 'Die Ursache: {reason}. Mehr dazu steht im Panel.',
    },
    TOO_MANY_PLUGINS: {
      title: '{server} hat zu viele Plugins',
      text: 'Dein Tarif erlaubt {limit}. Entferne einige, oder wähle einen größeren Tarif.',
    },
    SERVICE_CANCELLED: {
      title: 'Du hast {server} gekündigt',
      text: 'Bis zum {expires} bleibt alles wie gewohnt, verlängert wird nicht. Die Dateien bleiben bis zum {deleted_at} erhalten. Bis zum Ende kannst du die Kündigung unter „Tarif und Zahlungen“ rückgängig machen.',
    },
    PLAN_CHANGED: {
      title: '{server} hat jetzt den Tarif {product}',
      text: 'Der Tarif wurde gewechselt[ (bisher {before})].[ {amount} wurden von deinem Guthaben bezahlt.][ {credited} wurden deinem Guthaben gutgeschrieben.]',
      mail: `Der Tarif wurde gewechselt[, von {before} zu {product}].[ {credited} wurden deinem Guthaben gutgeschrieben, für Zeit, die zum höheren Preis bezahlt war.][\n\nLäuft bis\t{expires}]${price}${right}${asked}`,
    },
    ADD_ON_ADDED: {
      title: '{server}: neuer Zusatz ({product})',
      text: 'Er gilt ab dem nächsten Start des Servers und verlängert sich zusammen mit ihm.[ {amount} wurden von deinem Guthaben bezahlt.]',
      mail: `Er gilt ab dem nächsten Start des Servers und verlängert sich zusammen mit ihm.\n\nZusatz\t{product}[\nLäuft bis\t{expires}]${price}${right}${asked}`,
    },
    DOWNGRADE_FAILED: {
      title: '{server} ließ sich nicht verkleinern',
      text: 'Der Wechsel zu {product} hat nicht geklappt: Was gespeichert ist, muss in den kleineren Tarif passen. Es hat sich nichts geändert.',
    },
    SUPPORT_TICKET_UPDATED: {
      title: 'Deine Anfrage Nr. {number}: {status}',
      text: '„{subject}“: {status}.',
    },
    SERVER_DISABLED: {
      title: '{server} wurde gesperrt',
      text: 'Die Administration hat ihn gesperrt. Grund: {reason}',
      mail: 'Die Administration hat {server} gesperrt. Grund: {reason}\n\nBis die Sperre aufgehoben ist, lässt er sich nicht starten. Dateien und Sicherungen bleiben, wo sie sind. Hältst du das für einen Irrtum, dann schreib uns.',
    },
    SERVER_ENABLED: {
      title: '{server} darf wieder laufen',
      text: 'Die Administration hat ihn wieder freigegeben. Grund: {reason}',
    },
    SERVER_MOVE_ASKED: {
      title: '{server} soll umziehen',
      text: 'Wir möchten den Server an den Standort {cluster} verlegen. Die Adresse bleibt gleich. In den Einstellungen des Servers kannst du zustimmen oder ablehnen; ohne deine Antwort bleibt er, wo er ist. Grund: {reason}',
    },
    SERVER_MIGRATED: {
      title: '{server} ist umgezogen',
      text: 'Er läuft jetzt am Standort {cluster}. Die Adresse bleibt dieselbe, du musst nichts tun.',
    },
    SERVER_RESCUED: {
      title: '{server} wurde aus einer Sicherung wiederhergestellt',
      text: 'Die Maschine, auf der er lief, antwortet nicht mehr. Deshalb haben wir ihn am Standort {cluster} aus der Sicherung vom {made_at} wiederhergestellt. Was danach gebaut wurde, fehlt. Die Adresse bleibt dieselbe.',
    },
    TESTING_CODE: {
      title: 'Dein Test von {product}',
      text: 'Den Code haben wir dir gemailt. Er gilt bis {expires}.',
      mail: 'Mit diesem Code testest du {product}. Gib ihn dort ein, wo du Gutscheine einlöst; er gilt einmal, bis {expires}.',
      foot: 'Behalte den Code für dich: Wer ihn hat, kann ihn benutzen.',
    },
    SUCCESSFUL_PAYMENT: {
      title: 'Deine Zahlung über {amount} ist da',
      text: 'Sie ist deinem Guthaben gutgeschrieben. Danke!',
      mail: 'Sie ist deinem Guthaben gutgeschrieben. Danke!\n\nBetrag\t{amount}[\nZahlungsart\t{provider}][\nGuthaben jetzt\t{balance}]\n\nUnter „Guthaben“ findest du alle Zahlungen und die Belege, die es dazu gibt.',
    },
    SUPPORT_CREDIT: {
      title: 'Gutschrift vom Support: {amount}',
      text: 'Unser Support hat deinem Guthaben {amount} gutgeschrieben. Die Nachricht dazu: {reason}',
      mail: 'Unser Support hat dir Guthaben gutgeschrieben.\n\nBetrag\t{amount}\nNachricht\t{reason}',
    },
    RENEWAL_WITHDRAWN: {
      title: 'Du hast eine Verlängerung von {product} widerrufen',
      text: 'Deinen Widerruf der letzten Verlängerung von {product} haben wir am {at} erhalten. Der Server ist jetzt bis {until} bezahlt und verlängert sich nicht mehr automatisch, und {amount} sind wieder auf deinem Guthaben.',
      mail: 'Wir haben deinen Widerruf der letzten Verlängerung erhalten. Der Server verlängert sich nicht mehr automatisch. Bewahre diese Nachricht als Bestätigung auf.\n\nProdukt\t{product}\nEingegangen\t{at}\nBezahlt bis\t{until}\nZurück auf dem Guthaben\t{amount}',
    },
    TAX_CORRECTED: {
      title: 'Deine USt-IdNr. ist bestätigt: {amount} sind wieder auf deinem Guthaben',
      text: 'Als du bezahlt hast, hat das Register der EU nicht geantwortet, deshalb wurde Mehrwertsteuer berechnet. Jetzt kennt es deine USt-IdNr.: Zum Kauf gibt es eine Rechnungskorrektur und eine neue Rechnung mit Umkehr der Steuerschuldnerschaft (Reverse Charge), und die Steuer ist auf deinem Guthaben.',
    },
    CHANGE_WITHDRAWN: {
      title: 'Du hast {product} widerrufen',
      text: 'Deinen Widerruf zu {product} haben wir am {at} erhalten. Dein Server läuft weiter wie zuvor, und {amount} sind wieder auf deinem Guthaben.',
      mail: 'Wir haben deinen Widerruf erhalten. Dein Server läuft weiter wie zuvor. Bewahre diese Nachricht als Bestätigung auf.\n\nProdukt\t{product}\nEingegangen\t{at}\nZurück auf dem Guthaben\t{amount}',
    },
    WITHDRAWAL_CONFIRMED: {
      title: 'Du hast {product}[ für {server}] widerrufen',
      text: 'Deinen Widerruf des Vertrags über {product} haben wir am {at} erhalten. Die Leistung ist beendet, und {amount} sind wieder auf deinem Guthaben.[ Deine Dateien bewahren wir bis {deleted_at} auf; bis dahin kannst du sie noch herunterladen.]',
      mail: 'Wir haben deinen Widerruf des Vertrags erhalten. Die Leistung ist beendet.[ Deine Dateien bewahren wir bis {deleted_at} auf; bis dahin kannst du sie noch herunterladen.] Bewahre diese Nachricht als Bestätigung auf.\n\nProdukt\t{product}\nEingegangen\t{at}\nZurück auf dem Guthaben\t{amount}',
    },
    FAILED_PAYMENT: {
      title: 'Deine Zahlung hat nicht geklappt',
      text: '{amount} wurden nicht bezahlt, dein Guthaben ist unverändert. Versuche es noch einmal, oder zahle anders.[ Zahlungsart: {provider}.]',
      mail: 'Die Zahlung hat nicht geklappt, dein Guthaben ist unverändert. Versuche es noch einmal, oder zahle anders.\n\nBetrag\t{amount}[\nZahlungsart\t{provider}]',
    },
    FREE_PLACE_OFFERED: {
      title: 'Du bist dran',
      text: 'Ein Platz für deinen kostenlosen Server wird bis {until} für dich freigehalten. Nimm ihn bis dahin, sonst bekommt ihn der Nächste.',
    },
    FREE_PLACE_LOST: {
      title: 'Dein Platz ging an den Nächsten',
      text: 'Er wurde nicht rechtzeitig genommen. Du kannst dich jederzeit wieder anstellen.',
    },
    FREE_SESSION_ENDS: {
      title: '{server} geht in {minutes} Minuten schlafen',
      text: 'Wer spielt, erfährt es im Spiel. Verlängere um eine Stunde, wenn ihr weiterspielen wollt.',
    },
    FREE_SESSION_OVER: {
      title: '{server} schläft jetzt',
      text: 'Die Sitzung ist vorbei, die Welt ist gespeichert. Starte ihn wieder, sobald ein Platz frei ist.',
    },
    SERVER_CRASHED_TOO_MANY_TIMES: {
      title: '{server} stürzt immer wieder ab',
      text: 'Abstürze in Folge: {crash_count}, deshalb starten wir ihn nicht mehr. Das letzte Protokoll bleibt im Panel lesbar.',
    },
    AUTO_RENEW_WARNING: {
      title: 'Noch {days}, dann läuft {server} ab: Es fehlt Guthaben',
      text: 'Die bezahlte Zeit endet am {expires}. Einen Tag vorher wird automatisch verlängert, wenn dein Guthaben dann für {amount} reicht. Lade es rechtzeitig auf.',
    },
    AUTO_RENEW_FAILED: {
      title: '{server} ließ sich nicht verlängern',
      text: 'Für {amount} reicht dein Guthaben nicht. Lade es vor dem {expires} auf; wir versuchen es jede Stunde wieder.',
    },
    PAYMENTS_DIFFER: {
      title: '{provider} und unsere Bücher weichen voneinander ab',
      text: 'Abweichungen vom {day}, die auch Nachfragen nicht geklärt hat: {differences}. Sieh sie dir an: Es kann Geld eingezogen oder zurückgegeben worden sein, von dem wir nichts wissen.',
    },
    PAYMENT_REFUNDED: {
      title: 'Wir haben {amount} erstattet',
      text: 'Das Geld ist über {provider} zu dir unterwegs; Banken brauchen ein paar Tage. Grund: {reason}.',
      mail: 'Das Geld ist zu dir unterwegs; Banken brauchen ein paar Tage.\n\nBetrag\t{amount}\nÜber\t{provider}\nGrund\t{reason}',
    },
    SALE_REFUNDED: {
      title: 'Ein Verkauf über {amount} wurde erstattet',
      text: 'Der Käufer bekommt das Geld über {provider} zurück; es wurde von deinen Verkäufen abgezogen. Grund: {reason}.',
      mail: 'Der Käufer bekommt das Geld zurück; es wurde von deinen Verkäufen abgezogen.\n\nBetrag\t{amount}\nÜber\t{provider}\nGrund\t{reason}',
    },
    REFUND_FAILED: {
      title: 'Deine Erstattung über {amount} ist fehlgeschlagen',
      text: '{provider} konnte sie nicht auszahlen. Das Geld ist wieder auf deinem Guthaben; schreib uns, dann finden wir einen anderen Weg.',
    },
    PAYMENT_TAKEN_BACK: {
      title: 'Deine Zahlung über {amount} wurde zurückgebucht',
      text: 'Laut {provider} hat deine Bank sie zurückgeholt. Wir haben sie von deinem Guthaben genommen; noch offen: {owed}. Solange etwas offen ist, lässt sich nichts Neues kaufen, und deine nächste Zahlung gleicht es zuerst aus. War das ein Irrtum, schreib uns.',
    },
    PAYMENT_RETURNED: {
      title: '{amount} sind wieder auf deinem Guthaben',
      text: '{provider} hat uns die zurückgebuchte Zahlung wieder gutgeschrieben. Was dafür offen war, wird zuerst ausgeglichen.',
    },
    SECOND_PAYMENT: {
      title: 'Du hast zweimal bezahlt',
      text: 'Für dieselbe Aufladung kam eine zweite Zahlung über {amount} an. Auch sie ist auf deinem Guthaben; wenn du sie zurückhaben möchtest, schreib uns.[ Zahlungsart: {provider}.][ Guthaben jetzt: {balance}.]',
      mail: 'Für dieselbe Aufladung kam eine zweite Zahlung an. Auch sie ist auf deinem Guthaben; wenn du sie zurückhaben möchtest, schreib uns.\n\nBetrag\t{amount}[\nZahlungsart\t{provider}][\nGuthaben jetzt\t{balance}]',
    },
    MONEY_TAKEN_BACK: {
      title: '{amount} von {username} wurden ohne unser Zutun zurückgezahlt',
      text: '{provider}: {reason}. Offen, weil das Guthaben nicht reichte: {owed}.',
    },
    REFUND_TROUBLE: {
      title: 'Kümmere dich um eine Erstattung von {amount} an {username}',
      text: '{provider} meldet: {reason}. Sieh dort nach und gib hier an, wie es ausging.',
    },
    REFERRAL_REWARD: {
      title: '{hours} für eine Einladung',
      text: 'Grund: {reason}. Du kannst die Stunden bei jedem Server einlösen, für den du bezahlst.',
    },
    REFERRAL_REVERSED: {
      title: '{hours} zurückgenommen',
      text: 'Die Zahlung, für die es sie gab, wurde erstattet. Hast du die Stunden schon eingelöst, werden sie mit den nächsten verrechnet.',
    },
    COMMISSION_AVAILABLE: {
      title: '{amount} aus deinen Empfehlungen',
      text: 'Du kannst damit jetzt Server bezahlen oder es auf dein Guthaben übertragen.',
    },
    AFFILIATE_APPROVED: {
      title: 'Du bist im Empfehlungsprogramm',
      text: 'Wer sich ab jetzt über deinen Link registriert, zählt für dich.',
    },
    AFFILIATE_SUSPENDED: {
      title: 'Deine Teilnahme am Empfehlungsprogramm ist ausgesetzt',
      text: 'Bis das geklärt ist, kommt nichts hinzu, und es wird nichts ausgezahlt. Schreib uns dazu.',
    },
    SHOP_SALE: {
      title: 'Verkauft: {item} für {amount}',
      text: '{player} bekommt {item} × {quantity} auf {server}. Ob es angekommen ist, steht bei den Bestellungen.',
    },
    BILL_DUE: {
      title: 'Noch {days}, dann sind {amount} fällig',
      text: 'Deine Rechnung ist am {due} fällig. Wir ziehen sie dann von deinem Guthaben ab, oder du bezahlst sie vorher.',
      mail: 'Wir ziehen den Betrag am Fälligkeitstag von deinem Guthaben ab, oder du bezahlst vorher.\n\nBetrag\t{amount}\nFällig am\t{due}',
    },
    BILL_OVERDUE: {
      title: '{server} steht still: Eine Rechnung ist überfällig',
      text: 'Zu bezahlen waren {amount}, und das Guthaben reichte nicht. Sobald die Rechnung bezahlt ist, geht alles weiter.',
    },
    BILL_PAID: {
      title: 'Deine Rechnung über {amount} ist bezahlt',
      text: 'Danke. Sie war für {server}.',
      mail: 'Danke.\n\nBetrag\t{amount}\nServer\t{server}',
    },
    SERVER_SHARED: {
      title: '{by} teilt {server} mit dir',
      text: 'Nimm die Einladung an, um ihn zu nutzen.',
    },
    SERVER_ACCESS_CHANGED: {
      title: 'Deine Rechte auf {server} haben sich geändert',
      text: 'Der Besitzer hat sie geändert.',
    },
    SERVER_ACCESS_REVOKED: {
      title: '{server} wird nicht mehr mit dir geteilt',
      text: 'Der Besitzer hat deinen Zugriff beendet.',
    },
    SERVER_GUEST_JOINED: { title: '{guest} ist dabei', text: '{guest} hat deine Einladung zu {server} angenommen.' },
    SERVER_GUEST_LEFT: { title: '{guest} ist nicht mehr dabei', text: '{guest} hat keinen Zugriff mehr auf {server}.' },
    NEW_DEVICE: {
      title: 'Ein neues Gerät hat sich bei deinem Konto angemeldet',
      heading: 'Warst du das?',
      text: 'Ort: {country} ({ip}). Browser: {browser}.',
      mail: 'Jemand hat sich auf einem neuen Gerät bei deinem Konto angemeldet. Ort: {country} ({ip}). Browser: {browser}.',
      foot: mine,
    },
    SESSION_STOLEN: {
      title: 'Wir haben ein Gerät von deinem Konto abgemeldet',
      heading: 'Ein Gerät wurde abgemeldet',
      text: 'Jemand hat eine Anmeldung von dir benutzt, die schon ersetzt war. Sie könnte kopiert worden sein, deshalb wurde dieses Gerät abgemeldet.',
      foot: 'Wenn du nicht weißt, woher das kommt, ändere dein Passwort.',
    },
    ADDRESS_TRIED: {
      title: 'Jemand wollte sich mit deiner Adresse registrieren',
      heading: 'Du hast schon ein Konto',
      text: 'Jemand wollte mit deiner E-Mail-Adresse ein Konto eröffnen. Es wurde keines eröffnet, und bei dir hat sich nichts geändert.',
      foot: 'Wenn du das warst, melde dich einfach an oder wähle ein neues Passwort.',
    },
    PASSWORD_CHANGED: {
      title: 'Dein Passwort wurde geändert',
      text: 'Dein Konto hat ein neues Passwort, und andere Geräte sind abgemeldet.',
      button: 'Das war ich nicht',
      foot: 'Du warst das? Dann ist nichts zu tun. API-Schlüssel, SSH-Schlüssel und Webhooks gelten weiter: War jemand anderes in deinem Konto, entferne alle, die du nicht kennst.',
    },
    EMAIL_CHANGED: {
      title: 'Deine E-Mail-Adresse wurde geändert',
      heading: 'Dein Konto hat jetzt eine andere Adresse',
      text: 'Dein Konto nutzt ab jetzt eine andere E-Mail-Adresse.',
      mail: 'Dein Konto nutzt ab jetzt eine andere E-Mail-Adresse. Dies ist die letzte Nachricht an diese Adresse.',
      button: 'Mein Konto öffnen',
      foot: 'Du warst das nicht? Schreib uns sofort.',
    },
    FACTOR_ADDED: {
      title: 'Dein Konto ist jetzt besser geschützt',
      heading: 'Ein zweiter Schritt ist dazugekommen',
      text: 'Damit kannst du jetzt bestätigen, dass du es bist: {factor}{name}.',
      foot: 'Du warst das nicht? Entferne ihn und ändere dein Passwort.',
    },
    FACTOR_REMOVED: {
      title: 'Ein zweiter Schritt wurde von deinem Konto entfernt',
      heading: 'Ein zweiter Schritt wurde entfernt',
      text: 'Damit kannst du nicht mehr bestätigen, dass du es bist: {factor}{name}.',
      foot: 'Du warst das nicht? Ändere dein Passwort und melde andere Geräte ab.',
    },
    RECOVERY_CODES_NEW: {
      title: 'Du hast neue Wiederherstellungscodes',
      heading: 'Neue Wiederherstellungscodes',
      text: 'Für dein Konto gibt es zehn neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.',
      foot: 'Du warst das nicht? Ändere dein Passwort und erzeuge dann neue Codes.',
    },
    RECOVERY_CODE_USED: {
      title: 'Ein Wiederherstellungscode wurde benutzt',
      text: 'Jemand hat einen deiner Wiederherstellungscodes benutzt. Übrige Codes: {left}.',
      foot: 'Du warst das nicht? Ändere dein Passwort und erzeuge dann neue Codes.',
    },
    SOCIAL_LINKED: {
      title: 'Discord wurde mit deinem Konto verbunden',
      text: '{name} kann sich ab jetzt bei deinem Konto anmelden.',
      foot: mine,
    },
    SOCIAL_UNLINKED: {
      title: 'Discord wurde von deinem Konto getrennt',
      text: '{name} kann sich nicht mehr bei deinem Konto anmelden.',
      foot: mine,
    },
    SSH_KEY_ADDED: {
      title: 'Deinem Konto wurde ein SSH-Schlüssel hinzugefügt',
      text: 'Er heißt „{name}“. Wer ihn hat, kommt an die Dateien aller deiner Server.',
      foot: 'Du warst das? Dann ist nichts zu tun. Wenn nicht, entferne den Schlüssel und ändere dein Passwort.',
    },
    API_KEY_CREATED: {
      title: 'Für dein Konto wurde ein API-Schlüssel angelegt',
      text: 'Er heißt „{name}“. Programme, die ihn haben, können für dich handeln.',
      foot: 'Du warst das? Dann ist nichts zu tun. Wenn nicht, widerrufe den Schlüssel und ändere dein Passwort.',
    },
    DELETION_SCHEDULED: {
      title: 'Dein Konto wird gelöscht',
      text: 'Wie gewünscht wird dein Konto am {at} gelöscht. Bis dahin kannst du es dir anders überlegen.',
      foot: 'Du warst das nicht? Behalte das Konto und ändere dein Passwort.',
    },
    DATA_EXPORT_READY: {
      title: 'Deine Daten sind bereit',
      text: 'Du kannst das Archiv mit deinen Daten bis {expires} herunterladen.',
    },
    WEBHOOK_STOPPED: {
      title: 'Wir senden nichts mehr an {host}',
      text: 'Die Adresse gibt es nicht mehr, oder sie hat seit Tagen nichts angenommen. Antwortet sie wieder, setze sie fort; Fehlgeschlagenes lässt sich erneut senden.',
    },
    ACCOUNT_SUSPENDED: {
      title: 'Dein Konto ist gesperrt',
      text: 'Wir haben dein Konto gesperrt. Du kannst dich nicht anmelden, und deine Server sind angehalten; ihre Dateien bleiben erhalten. Der Grund: {reason}',
      foot: 'Du meinst, wir irren uns? Schreib uns, dann sehen wir es uns noch einmal an.',
    },
    ACCOUNT_RESTORED: {
      title: 'Dein Konto ist wieder aktiv',
      heading: 'Willkommen zurück',
      text: 'Die Sperre deines Kontos ist aufgehoben. Du kannst dich wieder anmelden, und Server, die liefen, starten gerade.',
      button: 'Anmelden',
      foot: 'Alles ist da, wo du es gelassen hast.',
    },
  },
}
