import type { Texts } from './types.ts'

/** Rows of what was bought: what it is for, what it cost, how it was paid. */
const price = '[\n{items}][\nRazem\t{amount}][\nW tym VAT\t{tax}][\nSposób płatności\t{method}]'
const asked =
  '[ Usługa zaczęła się od razu na Twoją prośbę ({asked_at}); jeśli odstąpisz, zapłacisz za wykorzystany czas.]'
const renewalAsked =
  '[ Na Twoją prośbę ({asked_at}) nowy okres może się zacząć przed upływem tych 14 dni; jeśli potem odstąpisz, zapłacisz za wykorzystany czas.]'
const right =
  '[\n\nDo {withdraw_until} (14 dni) możesz odstąpić od tego zakupu bez podawania przyczyny, na stronie „Plan i płatności”.]'
const websiteRight =
  '[\n\nDo {withdraw_until} (14 dni) możesz odstąpić od tego zakupu bez podawania przyczyny, na stronie „Płatności i przedłużanie“.]'

const mine = 'To Ty? Nic nie musisz robić. Jeśli nie, wyloguj urządzenia, których nie znasz, i zmień hasło.'

export const pl: Texts = {
  greeting: 'Cześć {username},',
  optional: 'Dostajesz tę wiadomość zgodnie z ustawieniami powiadomień na Twoim koncie.',
  footLinks: {
    unsubscribe: 'Wyłącz takie wiadomości',
    settings: 'Ustawienia powiadomień',
    terms: 'Regulamin usługi',
    paymentTerms: 'Regulamin płatności',
  },
  webhookGreeting: { title: 'Połączono', text: 'Na ten kanał będzie przychodzić to, co wybierzesz.' },
  actions: {
    open_server: 'Otwórz serwer',
    renew_server: 'Przedłuż serwer',
    open_files: 'Pobierz pliki',
    open_plan: 'Plan i płatności',
    open_servers: 'Zobacz moje serwery',
    open_shop_orders: 'Pokaż zamówienia',
    open_website: 'Otwórz stronę',
    open_websites: 'Zobacz moje strony',
    open_project: 'Otwórz projekt',
    open_moderation: 'Otwórz kolejkę',
    renew_website: 'Przedłuż stronę',
    open_website_plan: 'Płatności i przedłużanie',
    open_free_play: 'Otwórz kolejkę',
    open_account: 'Otwórz moje konto',
    open_wallet: 'Otwórz portfel',
    open_document: 'Faktura lub potwierdzenie sprzedaży',
    open_referrals: 'Pokaż moje zaproszenia',
    open_bills: 'Pokaż moje rachunki',
    open_affiliate: 'Pokaż moje prowizje',
    see_devices: 'Zobacz moje urządzenia',
    open_settings: 'Otwórz ustawienia konta',
    open_webhooks: 'Otwórz webhooki',
    keep_account: 'Zachowaj moje konto',
    open_security: 'Zobacz zabezpieczenia',
    open_reconciliation: 'Zobacz uzgodnienie',
    open_payment_returns: 'Zobacz zwroty i obciążenia zwrotne',
    open_ticket: 'Otwórz zgłoszenie',
    write_to_us: 'Napisz do nas',
    change_password: 'Ustaw nowe hasło',
  },
  words: {
    invited: 'masz konto z zaproszenia i pierwszą grę za sobą',
    inviter: 'osoba z Twojego zaproszenia już zagrała',
    first_payment: 'osoba z Twojego zaproszenia zapłaciła pierwszy raz',
    forge_missing_mod: 'brakuje moda, którego wymaga Forge',
    out_of_memory: 'zabrakło pamięci',
    forge_mod_load: 'Forge nie mógł wczytać moda',
    fabric_mod_load: 'Fabric nie mógł wczytać moda',
    fabric_incompatible_mods: 'niektóre mody Fabric nie pasują do siebie',
    version_downgrade: 'świat powstał w nowszej wersji gry',
    wrong_java: 'potrzebna jest inna wersja Javy',
    java_options: 'Java odrzuciła jedną z opcji',
    java_fault: 'awarii uległa sama Java',
    killed_for_memory: 'gra potrzebowała więcej pamięci, niż ma serwer',
    thread_limit: 'zabrakło wątków',
    watchdog: 'gra przestała odpowiadać i sama się zakończyła',
    plugin_missing_dependency: 'brakuje wtyczki, której potrzebuje inna',
    ticking_entity: 'coś w świecie powoduje awarię gry',
    port_taken: 'port jest zajęty',
    eula: 'nie zaakceptowano umowy EULA Minecrafta',
    world_locked: 'świata używa jeszcze inny proces',
    disk_full: 'brakuje miejsca na dysku',
    unknown: 'nie znamy jeszcze przyczyny',
    payu: 'PayU',
    paypal: 'PayPal',
    paynow: 'PayNow',
    blik: 'BLIK',
    wallet: 'portfel',
    affiliate: 'saldo partnera',
    'pay-later': 'płatność odroczona',
    unknown_browser: 'nieznana przeglądarka',
    totp: 'kody z aplikacji uwierzytelniającej',
    passkey: 'klucz dostępu',
    NEW: 'nowe',
    OPEN: 'zajmujemy się nim',
    PENDING: 'odpowiedzieliśmy',
    SOLVED: 'rozwiązane',
    EXTRA_MEMORY: '+{size} GiB pamięci',
    EXTRA_STORAGE: '+{size} GiB dysku',
    EXTRA_PORTS_one: '+{size} port',
    EXTRA_PORTS_few: '+{size} porty',
    EXTRA_PORTS_many: '+{size} portów',
    EXTRA_PORTS_other: '+{size} portu',
    BASIC_MAPVIEW: 'Mapa',
    BASIC_CRAFTUM: 'Strona internetowa',
    CLOSED: 'zamknięte',
  },
  kinds: {
    ACCOUNT_EMAIL_CONFIRM: {
      title: 'Potwierdź swój adres e-mail',
      heading: 'Jedno kliknięcie i gotowe',
      text: 'Potwierdź, że ten adres należy do Ciebie. Link jest jednorazowy i ważny 24 godziny.',
      button: 'Potwierdź adres',
      foot: 'To nie Ty zakładasz konto? Po prostu zignoruj tę wiadomość.',
    },
    ACCOUNT_EMAIL_CHANGE: {
      title: 'Potwierdź nowy adres e-mail',
      heading: 'Czy to Twój nowy adres?',
      text: 'Po kliknięciu Twoje konto będzie używać tego adresu, a wszystkie urządzenia zostaną wylogowane. Link jest jednorazowy i ważny 60 minut.',
      button: 'Użyj tego adresu',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość, nic się nie zmieni.',
    },
    STEP_UP: {
      title: 'Twój kod potwierdzenia',
      heading: 'Czy to Ty?',
      text: 'Tym kodem potwierdzasz, że to Ty. Jest jednorazowy i ważny 10 minut.',
      foot: 'To nie Twoja prośba? Ktoś korzysta z Twojego konta: wyloguj wszystkie urządzenia.',
    },
    ACCOUNT_DELETE_CONFIRM: {
      title: 'Potwierdź usunięcie konta',
      heading: 'Usunąć konto?',
      text: 'Tym kodem potwierdzasz usunięcie. Konto zniknie po 14 dniach, do tego czasu możesz zmienić zdanie. Kod jest jednorazowy i ważny 10 minut.',
      foot: 'To nie Twoja prośba? Ktoś korzysta z Twojego konta: zmień hasło już teraz.',
    },
    RESET_PASSWORD: {
      title: 'Ustaw nowe hasło',
      heading: 'Nowe hasło',
      text: 'Tym linkiem ustawisz nowe hasło. Wszystkie urządzenia zostaną wtedy wylogowane. Link jest jednorazowy i ważny 60 minut.',
      button: 'Ustaw hasło',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość, hasło pozostanie bez zmian.',
    },
    FAST_LOGIN: {
      title: 'Twój kod logowania',
      text: 'Wpisz go na stronie logowania. Jest jednorazowy, ważny 10 minut i działa tylko w tej samej przeglądarce.',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość i nie podawaj kodu nikomu.',
    },
    FAST_REGISTER: {
      title: 'Twój kod logowania',
      heading: 'Witaj! Oto Twój kod',
      text: 'Wpisz go na naszej stronie, a konto będzie gotowe. Jest jednorazowy, ważny 10 minut i działa tylko w tej samej przeglądarce.',
      foot: 'To nie Twoja prośba? Zignoruj tę wiadomość, a konto nie powstanie.',
    },
    WEBSITE_CREATED: {
      title: '{website}: strona jest Twoja',
      text: 'Strona czeka na pierwsze słowa. Gdy ją opublikujesz, każdy znajdzie ją pod adresem {address}.',
      mail: `Strona czeka na pierwsze słowa. Gdy ją opublikujesz, każdy znajdzie ją pod adresem {address}.[\n\nDziała do\t{expires}]${price}${websiteRight}${asked}`,
    },
    WEBSITE_RENEWED: {
      title: '{website}: strona przedłużona',
      text: 'Będzie dostępna do {expires}.[ Koszt przedłużenia: {amount}.]',
      mail: `Dziękujemy! Twoja strona została przedłużona.\n\nDziała do\t{expires}${price}${websiteRight}${renewalAsked}`,
    },
    WEBSITE_EXPIRES_WARNING: {
      title: 'Strona {website} wygasa za {days}',
      text: 'Przestanie być dostępna {expires}, chyba że ją przedłużysz.[ Przedłużenie na {period} kosztuje {amount}.]',
    },
    WEBSITE_EXPIRED: {
      title: 'Strona {website} jest wyłączona',
      text: 'Opłacony czas się skończył. Przedłuż ją, a od razu wróci; jej zawartość usuniemy {deleted_at}.',
    },
    WEBSITE_CLEANUP_WARNING: {
      title: 'Strona {website} zostanie usunięta za {days}',
      text: 'Znikną wszystkie podstrony, wersje i obrazy. Przedłuż ją, a wszystko zostanie.',
    },
    WEBSITE_CLEANED_UP: {
      title: 'Strona {website} została usunięta',
      text: 'Jej czas minął. Adres {address} trzymamy dla Ciebie jeszcze przez 30 dni.',
    },
    SERVER_EXPIRED: {
      title: '{server}: czas się skończył',
      text: 'Serwer jest zatrzymany. Przedłuż go, a wróci taki, jaki był; pliki usuniemy {deleted_at}.',
    },
    SERVER_CREATED: {
      title: '{server}: serwer w przygotowaniu',
      text: 'Przygotowujemy Twój serwer. Jego adres to {address}.',
      mail: `Dziękujemy! Przygotowujemy Twój serwer; zwykle wystarcza minuta. Znajomi dołączą pod adresem {address}.[\n\nPlan\t{product}][\nDziała do\t{expires}]${price}${right}${asked}[\n\nMasz go za darmo do {free_until}. Gdy zostanie najwyżej {renew_days}, możesz go bezpłatnie przedłużyć.][ Może działać {day_hours} dziennie, {session_hours} bez przerwy.]`,
    },
    SERVER_RENEWED: {
      title: '{server}: serwer przedłużony',
      text: 'Działa do {expires}.[ Koszt przedłużenia: {amount}.]',
      mail: `Dziękujemy! Twój serwer został przedłużony.\n\nDziała do\t{expires}${price}${right}${renewalAsked}`,
    },
    SERVER_CRASHED: {
      title: '{server} uległ awarii',
      text: 'Uruchamiamy go ponownie. Awarie z rzędu: {crash_count}. Ostatnie wiersze logu są w panelu.',
    },
    SERVER_TESTING_ENABLED: {
      title: '{server}: okres próbny rozpoczęty',
      text: 'Wypróbuj wszystko do {expires}. Jeśli Ci się spodoba, zostaw go sobie; jeśli nie, nic nie musisz robić.',
    },
    SERVER_CLEANED_UP: {
      title: '{server} został usunięty',
      text: 'Jego czas minął, więc serwer i jego pliki zostały usunięte. Adres przechowamy dla Ciebie jeszcze chwilę.',
    },
    SERVER_RECOMPENSED: {
      title: '{server}: dodatkowy czas, {hours}',
      text: 'Coś po naszej stronie nie zadziałało jak trzeba. Przepraszamy i dziękujemy za cierpliwość.',
    },
    SERVER_BACKUP_FAILED: {
      title: '{server}: kopia zapasowa się nie udała',
      text: 'Nie udało się wykonać ostatniej automatycznej kopii zapasowej. Spróbujemy ponownie, a wcześniejsze kopie są na miejscu.',
    },
    BACKUP_DAMAGED: {
      title: '{server}: dane kopii zapasowej są uszkodzone',
      text: 'Próbnie przywrócona kopia różni się od tego, co zapisano, albo nie daje się odczytać. Sprawdź magazyn kopii zapasowych.',
    },
    SERVER_DISK_QUOTA_WARNING: {
      title: '{server}: kończy się miejsce',
      text: 'Zajęte jest {percent}% dysku, zostało {free}. Gdy dysk się zapełni, gra nie będzie mogła zapisywać.',
    },
    SERVER_UNDER_ATTACK: {
      title: '{server}: atakują boty',
      text: 'O wiele więcej nieznanych graczy niż zwykle próbuje dołączyć. Są odsyłani, a kto już tu grał, wchodzi jak zawsze.',
      mail: 'O wiele więcej nieznanych graczy niż zwykle próbuje dołączyć do serwera {server}. Są odsyłani. Kto już tu grał, wchodzi jak zawsze, a nowi muszą pokazać, że są ludźmi. Nie musisz nic robić.',
    },
    SERVER_ATTACK_OVER: {
      title: '{server}: atak się skończył',
      text: 'Znów jest spokojnie. Czas trwania w minutach: {minutes}. Odrzucone próby: {turned_away}.',
    },
    TRASH_MADE_ROOM: {
      title: '{server}: opróżniliśmy część kosza, by zwolnić miejsce',
      text: 'Dysk był pełny, więc najstarsza zawartość kosza została trwale usunięta przed upływem siedmiu dni: {path} (razem {size}).',
    },
    SERVER_CLEANUP_WARNING: {
      title: '{server} zostanie usunięty za {days}',
      text: 'Przedłuż go albo uruchom, jeśli jest darmowy, a wszystko zostanie.',
      mail: 'Od dawna nikt nie używa tego serwera ani za niego nie płaci, więc usuniemy go ze wszystkimi plikami za {days}. Przedłuż go albo uruchom, jeśli jest darmowy, a wszystko zostanie.',
    },
    SERVER_ADDRESS_WARNING: {
      title: '{server}: adres zostanie zwolniony za {days}',
      text: 'Ten serwer wygasł jakiś czas temu. Po tym czasie adres {address} będzie dostępny dla innych, a pozostałości serwera usuniemy.',
    },
    PACKAGE_INSTALL_FAILED: {
      title: '{server}: instalacja się nie udała',
      text: 'Nie udało się zainstalować: {package}. Wszystko jest tak jak przedtem; przyczynę znajdziesz w panelu.',
    },
    PROJECT_RELEASED: {
      title: '{project} {version}: nowe wydanie',
      text: 'Obserwowany przez Ciebie projekt {project} ma nowe wydanie: {version}. Co się zmieniło, przeczytasz na jego stronie.',
    },
    RELEASE_PUBLISHED: {
      title: '{project} {version}: wydanie opublikowane',
      text: 'Przeszło sprawdzenie i można je już instalować.',
    },
    RELEASE_REFUSED: {
      title: '{project} {version}: wydanie odrzucone',
      text: 'Nie przeszło sprawdzenia. Na stronie projektu widać, co znaleziono; popraw to i wyślij tę wersję ponownie.[ Powód: {reason}]',
    },
    RELEASE_WAITING: {
      title: 'Wydanie projektu {project} czeka',
      text: '{project} {version} pojawi się po sprawdzeniu. Znajdziesz je w kolejce moderacji.',
    },
    PACKAGE_UPDATES_AVAILABLE: {
      title: '{server}: nowe wersje pakietów',
      text: 'Są aktualizacje: {packages}. Zainstalujesz je w panelu, kiedy będzie Ci wygodnie.',
    },
    PACKAGE_QUARANTINED: {
      title: '{server}: usunięto niebezpieczny pakiet',
      text: 'Pakiet {package} okazał się szkodliwy. Zatrzymaliśmy grę, usunęliśmy pakiet i uruchomiliśmy ją bez niego. Jego plik jest w folderze .quarantine, gdzie nic nie robi. Zmień hasła, które znał ten serwer.',
    },
    PACKAGE_UNINSTALL_FAILED: {
      title: '{server}: usunięcie pakietu się nie udało',
      text: 'Nie udało się usunąć: {package}. Przyczynę znajdziesz w panelu.',
    },
    SERVER_EXPIRES_WARNING: {
      title: '{server} wygasa za {days}',
      text: 'Zatrzyma się {expires}, chyba że go przedłużysz.[ Przedłużenie na {period} kosztuje {amount}.]',
    },
    SERVICE_EXPIRES_WARNING: {
      title: '{product} wygasa za {days}',
      text: 'Usługa skończy się {expires}, chyba że ją przedłużysz.',
    },
    PLAYER_JOINED: { title: '{player} gra na serwerze {server}', text: '{player} właśnie wchodzi do gry.' },
    PLAYER_TRIED_TO_JOIN: {
      title: '{player} puka do serwera {server}',
      text: '{player} próbuje wejść, ale serwer nie działa.',
    },
    RECOGNISED_CRASH: {
      title: 'Wiemy, skąd awaria: {server}',
      text: 'Przyczyna: {reason}. Szczegóły są w panelu.',
    },
    TOO_MANY_PLUGINS: {
      title: '{server} ma za dużo wtyczek',
      text: 'Limit Twojego planu to {limit}. Usuń kilka albo wybierz większy plan.',
    },
    SERVICE_CANCELLED: {
      title: 'Rezygnacja przyjęta: {server}',
      text: 'Serwer działa do {expires} i nie będzie przedłużany. Pliki przechowamy do {deleted_at}. Do końca okresu możesz się rozmyślić: użyj „Cofnij” na stronie „Plan i płatności”.',
    },
    PLAN_CHANGED: {
      title: '{server} ma teraz plan {product}',
      text: 'Plan został zmieniony[ (poprzedni: {before})].[ Z portfela pobraliśmy {amount}.][ Do portfela wróciło {credited}.]',
      mail: `Plan został zmieniony[ (poprzedni: {before}, obecny: {product})].[ Do portfela wróciło {credited} za czas opłacony po wyższej cenie.][\n\nDziała do\t{expires}]${price}${right}${asked}`,
    },
    ADD_ON_ADDED: {
      title: '{server}: nowy dodatek ({product})',
      text: 'Zadziała przy następnym starcie serwera i będzie się przedłużać razem z nim.[ Z portfela pobraliśmy {amount}.]',
      mail: `Zadziała przy następnym starcie serwera i będzie się przedłużać razem z nim.\n\nDodatek\t{product}[\nDziała do\t{expires}]${price}${right}${asked}`,
    },
    DOWNGRADE_FAILED: {
      title: '{server}: zmiana planu się nie udała',
      text: 'Zmiana na {product} nie doszła do skutku: dane muszą się zmieścić w mniejszym planie. Nic się nie zmieniło.',
    },
    SUPPORT_TICKET_UPDATED: {
      title: 'Zgłoszenie nr {number}: {status}',
      text: 'Zgłoszenie „{subject}”: {status}.',
    },
    SERVER_DISABLED: {
      title: '{server}: serwer został wyłączony',
      text: 'Wyłączyła go administracja. Powód: {reason}',
      mail: 'Administracja wyłączyła serwer {server}. Powód: {reason}\n\nDo odwołania nie można go uruchomić. Pliki i kopie zapasowe zostają na miejscu. Jeśli uważasz, że to pomyłka, napisz do nas.',
    },
    SERVER_ENABLED: {
      title: '{server}: serwer może znów działać',
      text: 'Administracja pozwoliła go znów uruchamiać. Powód: {reason}',
    },
    SERVER_MOVE_ASKED: {
      title: '{server}: prośba o zgodę na przeniesienie',
      text: 'Chcemy przenieść ten serwer do lokalizacji {cluster}. Powód: {reason} Adres się nie zmieni. Zgodę lub odmowę wybierzesz w ustawieniach serwera. Bez Twojej odpowiedzi serwer zostaje tam, gdzie jest.',
    },
    SERVER_MIGRATED: {
      title: '{server} działa w nowym miejscu',
      text: 'Lokalizacja: {cluster}. Adres jest ten sam, nic nie musisz robić.',
    },
    SERVER_RESCUED: {
      title: '{server}: przywrócono z kopii zapasowej',
      text: 'Maszyna, na której działał serwer, przestała odpowiadać, dlatego odtworzyliśmy go w lokalizacji {cluster} z kopii zapasowej z {made_at}. Tego, co zbudowano później, w nim nie ma. Adres się nie zmienił.',
    },
    TESTING_CODE: {
      title: 'Wypróbuj {product}',
      text: 'Kod wysłaliśmy Ci e-mailem. Działa do {expires}.',
      mail: 'Tym kodem wypróbujesz {product}. Wpisz go tam, gdzie realizujesz kody; działa raz, do {expires}.',
      foot: 'Nie podawaj kodu nikomu: każdy, kto go ma, może go użyć.',
    },
    SUCCESSFUL_PAYMENT: {
      title: 'Twoja wpłata dotarła: {amount}',
      text: 'Pieniądze są w Twoim portfelu. Dziękujemy!',
      mail: 'Pieniądze są w Twoim portfelu. Dziękujemy!\n\nKwota\t{amount}[\nSposób płatności\t{provider}][\nStan portfela\t{balance}]\n\nW portfelu widać wszystkie wpłaty razem z dokumentami, jeśli zostały wystawione.',
    },
    SUPPORT_CREDIT: {
      title: 'Środki od obsługi: {amount}',
      text: 'Obsługa dodała {amount} do Twojego portfela. Wiadomość: {reason}',
      mail: 'Obsługa dodała środki do Twojego portfela.\n\nKwota\t{amount}\nWiadomość\t{reason}',
    },
    RENEWAL_WITHDRAWN: {
      title: 'Odstąpiono od przedłużenia: {product}',
      text: 'Twoje odstąpienie od ostatniego przedłużenia ({product}) otrzymaliśmy {at}. Serwer jest teraz opłacony do {until} i nie przedłuża się sam, a {amount} wróciło do Twojego portfela.',
      mail: 'Otrzymaliśmy Twoje odstąpienie od ostatniego przedłużenia. Serwer nie przedłuża się już sam. Zachowaj tę wiadomość: to potwierdzenie odstąpienia.\n\nProdukt\t{product}\nOtrzymano\t{at}\nOpłacony do\t{until}\nWróciło do portfela\t{amount}',
    },
    TAX_CORRECTED: {
      title: 'Twój numer VAT jest potwierdzony: {amount} wróciło do portfela',
      text: 'W chwili płatności rejestr UE nie odpowiadał, więc doliczyliśmy VAT. Teraz potwierdził Twój numer VAT: do zakupu jest faktura korygująca i nowa faktura z odwrotnym obciążeniem, a VAT jest w Twoim portfelu.',
    },
    CHANGE_WITHDRAWN: {
      title: 'Odstąpiono od zmiany: {product}',
      text: 'Twoje odstąpienie ({product}) otrzymaliśmy {at}. Serwer działa dalej tak jak przedtem, a {amount} wróciło do Twojego portfela.',
      mail: 'Otrzymaliśmy Twoje odstąpienie. Serwer działa dalej tak jak przedtem. Zachowaj tę wiadomość: to potwierdzenie odstąpienia.\n\nProdukt\t{product}\nOtrzymano\t{at}\nWróciło do portfela\t{amount}',
    },
    WITHDRAWAL_CONFIRMED: {
      title: 'Odstąpiono od umowy: {product}[, {server}]',
      text: 'Twoje odstąpienie od umowy ({product}) otrzymaliśmy {at}. Usługa się zakończyła, a {amount} wróciło do Twojego portfela.[ Twoje pliki trzymamy do {deleted_at}; do tego czasu możesz je jeszcze pobrać.]',
      mail: 'Otrzymaliśmy Twoje odstąpienie od umowy. Usługa się zakończyła.[ Twoje pliki trzymamy do {deleted_at}; do tego czasu możesz je jeszcze pobrać.] Zachowaj tę wiadomość: to potwierdzenie odstąpienia.\n\nProdukt\t{product}\nOtrzymano\t{at}\nWróciło do portfela\t{amount}',
    },
    FAILED_PAYMENT: {
      title: 'Płatność się nie udała',
      text: 'Kwota {amount} nie została zapłacona, a stan portfela się nie zmienił. Spróbuj ponownie albo zapłać inaczej.[ Sposób płatności: {provider}.]',
      mail: 'Płatność nie doszła do skutku, a stan portfela się nie zmienił. Spróbuj ponownie albo zapłać inaczej.\n\nKwota\t{amount}[\nSposób płatności\t{provider}]',
    },
    FREE_PLACE_OFFERED: {
      title: 'Twoja kolej',
      text: 'Miejsce dla Twojego darmowego serwera czeka do {until}. Zajmij je do tego czasu, inaczej dostanie je następna osoba.',
    },
    FREE_PLACE_LOST: {
      title: 'Twoje miejsce dostała następna osoba',
      text: 'Nie zajęto go na czas. Do kolejki możesz wrócić w każdej chwili.',
    },
    FREE_SESSION_ENDS: {
      title: '{server} zaśnie za {minutes} min',
      text: 'Gracze widzą ostrzeżenie w grze. Dodaj godzinę, jeśli chcesz grać dalej.',
    },
    FREE_SESSION_OVER: {
      title: '{server} zasnął',
      text: 'Sesja się skończyła, świat jest zapisany. Uruchom go znowu, gdy tylko będzie miejsce.',
    },
    SERVER_CRASHED_TOO_MANY_TIMES: {
      title: '{server} ciągle ulega awarii',
      text: 'Awarie z rzędu: {crash_count}, dlatego już go nie uruchamiamy. Ostatni log nadal przeczytasz w panelu.',
    },
    AUTO_RENEW_WARNING: {
      title: '{server} wygasa za {days}: w portfelu brakuje środków',
      text: 'Opłacony okres kończy się {expires}. Dobę wcześniej nastąpi automatyczne przedłużenie, jeśli w portfelu będzie {amount}. Doładuj portfel na czas.',
    },
    AUTO_RENEW_FAILED: {
      title: 'Nie udało się przedłużyć: {server}',
      text: 'Przedłużenie kosztuje {amount}, a w portfelu nie ma tylu środków. Doładuj go przed {expires}; próbujemy ponownie co godzinę.',
    },
    PAYMENTS_DIFFER: {
      title: '{provider}: dane różnią się od naszych ksiąg',
      text: 'Różnice z dnia {day}, których nie wyjaśniło ponowne zapytanie: {differences}. Sprawdź je: mogły zostać pobrane lub zwrócone pieniądze, o których nic nie wiemy.',
    },
    PAYMENT_REFUNDED: {
      title: 'Zwróciliśmy {amount}',
      text: 'Pieniądze wracają do Ciebie przez {provider}; banki potrzebują na to kilku dni. Powód: {reason}.',
      mail: 'Pieniądze są w drodze; banki potrzebują na to kilku dni.\n\nKwota\t{amount}\nPrzez\t{provider}\nPowód\t{reason}',
    },
    SALE_REFUNDED: {
      title: 'Zwrot za sprzedaż: {amount}',
      text: 'Kupujący dostaje pieniądze z powrotem przez {provider}; potrąciliśmy je z Twojej sprzedaży. Powód: {reason}.',
      mail: 'Kupujący dostaje pieniądze z powrotem; potrąciliśmy je z Twojej sprzedaży.\n\nKwota\t{amount}\nPrzez\t{provider}\nPowód\t{reason}',
    },
    REFUND_FAILED: {
      title: 'Zwrot {amount} się nie powiódł',
      text: '{provider} nie może oddać tej kwoty. Pieniądze są znów w Twoim portfelu; napisz do nas, a znajdziemy inny sposób.',
    },
    PAYMENT_TAKEN_BACK: {
      title: 'Twoja wpłata została cofnięta: {amount}',
      text: '{provider} informuje, że bank cofnął wpłatę. Pobraliśmy ją z portfela; do spłaty pozostaje: {owed}. Do czasu spłaty nie można kupować niczego nowego, a następna wpłata pokryje ją w pierwszej kolejności. Jeśli to pomyłka, napisz do nas.',
    },
    PAYMENT_RETURNED: {
      title: 'W portfelu jest znów {amount}',
      text: '{provider} oddał nam cofniętą wpłatę. W pierwszej kolejności pokrywa ona to, co było do spłaty.',
    },
    SECOND_PAYMENT: {
      title: 'Zapłacono dwa razy',
      text: 'Za to samo doładowanie przyszła druga wpłata: {amount}. Ona też jest w Twoim portfelu; jeśli chcesz ją odzyskać, napisz do nas.[ Sposób płatności: {provider}.][ Stan portfela: {balance}.]',
      mail: 'Za to samo doładowanie przyszła druga wpłata. Ona też jest w Twoim portfelu; jeśli chcesz ją odzyskać, napisz do nas.\n\nKwota\t{amount}[\nSposób płatności\t{provider}][\nStan portfela\t{balance}]',
    },
    MONEY_TAKEN_BACK: {
      title: 'Zwrot poza naszym systemem: {amount}, użytkownik {username}',
      text: '{provider}: {reason}. Do spłaty, bo w portfelu nie było tyle środków: {owed}.',
    },
    REFUND_TROUBLE: {
      title: 'Zwrot {amount} dla {username} wymaga uwagi',
      text: '{provider} podaje: {reason}. Sprawdź to u operatora i zaznacz tutaj, jak się skończyło.',
    },
    REFERRAL_REWARD: {
      title: '{hours} za zaproszenie',
      text: 'Powód: {reason}. Godziny możesz dodać do każdego serwera, za który płacisz.',
    },
    REFERRAL_REVERSED: {
      title: 'Cofnięto {hours}',
      text: 'Płatność, za którą były przyznane, została zwrócona. Jeśli godziny są już wykorzystane, odliczymy je od następnych.',
    },
    COMMISSION_AVAILABLE: {
      title: '{amount} z Twoich poleceń',
      text: 'Możesz już płacić tym za serwery albo przenieść środki do portfela.',
    },
    AFFILIATE_APPROVED: {
      title: 'Jesteś w programie partnerskim',
      text: 'Każdy, kto od teraz założy konto z Twojego linku, zostanie zaliczony do Twoich poleceń.',
    },
    AFFILIATE_SUSPENDED: {
      title: 'Twój udział w programie partnerskim jest wstrzymany',
      text: 'Do wyjaśnienia nic nie jest naliczane ani wypłacane. Napisz do nas w tej sprawie.',
    },
    SHOP_SALE: {
      title: 'Sprzedano: {item} za {amount}',
      text: 'Kto dostaje: {player}. Co: {item} × {quantity}, serwer {server}. W zamówieniach widać, czy już dotarło.',
    },
    BILL_DUE: {
      title: 'Rachunek na {amount}: termin za {days}',
      text: 'Termin Twojego rachunku to {due}. Wtedy pobierzemy go z portfela, ale możesz zapłacić wcześniej.',
      mail: 'W dniu terminu pobierzemy tę kwotę z portfela, ale możesz zapłacić wcześniej.\n\nKwota\t{amount}\nTermin\t{due}',
    },
    BILL_OVERDUE: {
      title: '{server} jest zatrzymany: rachunek po terminie',
      text: 'Do zapłaty było {amount}, a w portfelu zabrakło środków. Po opłaceniu wszystko ruszy dalej.',
    },
    BILL_PAID: {
      title: 'Rachunek na {amount} jest opłacony',
      text: 'Dziękujemy. Dotyczył: {server}.',
      mail: 'Dziękujemy.\n\nKwota\t{amount}\nSerwer\t{server}',
    },
    SERVER_SHARED: {
      title: '{by} udostępnia Ci serwer {server}',
      text: 'Przyjmij zaproszenie, aby z niego korzystać.',
    },
    SERVER_ACCESS_CHANGED: {
      title: '{server}: zmieniły się Twoje uprawnienia',
      text: 'To decyzja właściciela serwera.',
    },
    SERVER_ACCESS_REVOKED: {
      title: 'Nie masz już dostępu do serwera {server}',
      text: 'To decyzja właściciela serwera.',
    },
    SERVER_GUEST_JOINED: {
      title: '{guest} ma już dostęp',
      text: 'Zaproszenie na serwer {server} zostało przyjęte: {guest}.',
    },
    SERVER_GUEST_LEFT: { title: '{guest} nie ma już dostępu', text: '{guest} nie korzysta już z serwera {server}.' },
    NEW_DEVICE: {
      title: 'Nowe urządzenie zalogowało się na Twoje konto',
      heading: 'Czy to Ty?',
      text: 'Miejsce: {country} ({ip}). Przeglądarka: {browser}.',
      mail: 'Ktoś zalogował się na Twoje konto na nowym urządzeniu. Miejsce: {country} ({ip}). Przeglądarka: {browser}.',
      foot: mine,
    },
    SESSION_STOLEN: {
      title: 'Wylogowaliśmy urządzenie z Twojego konta',
      heading: 'Urządzenie zostało wylogowane',
      text: 'Ktoś użył danych Twojej sesji, które zostały już zastąpione nowymi. Mogły zostać skopiowane, dlatego to urządzenie zostało wylogowane.',
      foot: 'Jeśli nie wiesz, skąd to się wzięło, zmień hasło.',
    },
    ADDRESS_TRIED: {
      title: 'Ktoś próbował się zarejestrować z Twoim adresem',
      heading: 'Masz już konto',
      text: 'Ktoś próbował założyć konto z Twoim adresem e-mail. Żadne konto nie powstało i u Ciebie nic się nie zmieniło.',
      foot: 'Jeśli to Ty, po prostu się zaloguj albo ustaw nowe hasło.',
    },
    PASSWORD_CHANGED: {
      title: 'Hasło zostało zmienione',
      text: 'Twoje konto ma nowe hasło, a pozostałe urządzenia zostały wylogowane.',
      button: 'To nie ja',
      foot: 'To Twoja zmiana? W takim razie nic nie musisz robić. Klucze API, klucze SSH i webhooki działają dalej: jeśli ktoś się włamał, usuń te, których nie znasz.',
    },
    EMAIL_CHANGED: {
      title: 'Adres e-mail został zmieniony',
      heading: 'Twoje konto ma teraz inny adres',
      text: 'Od teraz Twoje konto używa innego adresu e-mail.',
      mail: 'Od teraz Twoje konto używa innego adresu e-mail. To ostatnia wiadomość wysłana na ten adres.',
      button: 'Otwórz moje konto',
      foot: 'To nie Twoja zmiana? Napisz do nas od razu.',
    },
    FACTOR_ADDED: {
      title: 'Twoje konto jest lepiej chronione',
      heading: 'Dodano drugi krok',
      text: 'Twoje konto ma kolejny sposób na potwierdzenie, że to Ty: {factor}{name}.',
      foot: 'To nie Ty? Usuń go i zmień hasło.',
    },
    FACTOR_REMOVED: {
      title: 'Usunięto drugi krok z Twojego konta',
      heading: 'Usunięto drugi krok',
      text: 'Twoje konto nie przyjmuje już: {factor}{name}.',
      foot: 'To nie Ty? Zmień hasło i wyloguj inne urządzenia.',
    },
    RECOVERY_CODES_NEW: {
      title: 'Masz nowe kody zapasowe',
      heading: 'Nowe kody zapasowe',
      text: 'Dla Twojego konta powstało dziesięć nowych kodów zapasowych. Poprzednie już nie działają.',
      foot: 'To nie Ty? Zmień hasło, a potem utwórz nowe kody.',
    },
    RECOVERY_CODE_USED: {
      title: 'Użyto kodu zapasowego',
      text: 'Ktoś użył jednego z Twoich kodów zapasowych. Pozostało kodów: {left}.',
      foot: 'To nie Ty? Zmień hasło, a potem utwórz nowe kody.',
    },
    SOCIAL_LINKED: {
      title: 'Discord został połączony z kontem',
      text: 'Kontem Discorda {name} można się teraz logować na Twoje konto.',
      foot: mine,
    },
    SOCIAL_UNLINKED: {
      title: 'Discord został odłączony od konta',
      text: 'Kontem Discorda {name} nie można się już logować na Twoje konto.',
      foot: mine,
    },
    SSH_KEY_ADDED: {
      title: 'Do Twojego konta dodano klucz SSH',
      text: 'Jego nazwa to „{name}”. Kto go ma, dostanie się do plików wszystkich Twoich serwerów.',
      foot: 'To Ty? Nic nie musisz robić. Jeśli nie, usuń klucz i zmień hasło.',
    },
    API_KEY_CREATED: {
      title: 'Powstał klucz API do Twojego konta',
      text: 'Jego nazwa to „{name}”. Programy, które go mają, mogą działać w Twoim imieniu.',
      foot: 'To Ty? Nic nie musisz robić. Jeśli nie, unieważnij klucz i zmień hasło.',
    },
    DELETION_SCHEDULED: {
      title: 'Twoje konto zostanie usunięte',
      text: 'Zgodnie z Twoim życzeniem konto zostanie usunięte: {at}. Do tego czasu możesz zmienić zdanie.',
      foot: 'To nie Twoja prośba? Zachowaj konto i zmień hasło.',
    },
    DATA_EXPORT_READY: {
      title: 'Twoje dane są gotowe',
      text: 'Archiwum ze swoimi danymi pobierzesz do {expires}.',
    },
    WEBHOOK_STOPPED: {
      title: 'Nie wysyłamy już wiadomości na {host}',
      text: 'Ten adres już nie istnieje albo od kilku dni niczego nie przyjął. Gdy znów zacznie odpowiadać, wznów go; nieudane wiadomości można wysłać ponownie.',
    },
    ACCOUNT_SUSPENDED: {
      title: 'Twoje konto jest zawieszone',
      text: 'Twoje konto zostało zawieszone. Nie możesz się zalogować, a Twoje serwery są zatrzymane; ich pliki zostają. Powód: {reason}',
      foot: 'Uważasz, że się mylimy? Napisz do nas, sprawdzimy to jeszcze raz.',
    },
    ACCOUNT_RESTORED: {
      title: 'Twoje konto znów działa',
      heading: 'Witaj ponownie',
      text: 'Zawieszenie Twojego konta się skończyło. Możesz się znów zalogować, a serwery, które działały, właśnie startują.',
      button: 'Zaloguj się',
      foot: 'Wszystko jest tam, gdzie było.',
    },
  },
}
