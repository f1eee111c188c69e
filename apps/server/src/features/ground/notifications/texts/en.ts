import type { Texts } from './types.ts'

/** Rows of what was bought: what it is for, what it cost, how it was paid. */
const price = '[\n{items}][\nTotal\t{amount}][\nIncluding VAT\t{tax}][\nPayment method\t{method}]'
const asked = '[ You asked on {asked_at} for it to start right away; if you then withdraw, you pay for the time used.]'
const renewalAsked =
  '[ You agreed on {asked_at} that the new period may start within these 14 days; if you then withdraw, you pay for the time used.]'
const right =
  '[\n\nYou can withdraw from this purchase until {withdraw_until} (14 days), without giving a reason, under “Plan and payments”.]'
const websiteRight =
  '[\n\nYou can withdraw from this purchase until {withdraw_until} (14 days), without giving a reason, under “Payments and renewal”.]'

const mine =
  'If this was you, you don’t need to do anything. If not, log out every device you don’t know and change your password.'

export const en: Texts = {
  greeting: 'Hi {username},',
  optional: 'You’re getting this e-mail because of your notification settings.',
  footLinks: {
    unsubscribe: 'Stop e-mails like this',
    settings: 'Notification settings',
    terms: 'Terms of service',
    paymentTerms: 'Terms of payment',
  },
  webhookGreeting: { title: 'You’re connected', text: 'The notifications you choose will arrive in this channel.' },
  actions: {
    open_server: 'Open the server',
    renew_server: 'Renew the server',
    open_plan: 'Plan and payments',
    open_files: 'Download the files',
    open_servers: 'View my servers',
    open_shop_orders: 'View the orders',
    open_website: 'Open the website',
    open_websites: 'View my websites',
    open_project: 'Open the project',
    open_moderation: 'Open the queue',
    renew_website: 'Renew the website',
    open_website_plan: 'Payments and renewal',
    open_free_play: 'Open the queue',
    open_account: 'Open my account',
    open_wallet: 'Open the wallet',
    open_document: 'Invoice or receipt',
    open_referrals: 'View my invitations',
    open_bills: 'View my bills',
    open_affiliate: 'View my commissions',
    see_devices: 'View my devices',
    open_settings: 'Open my settings',
    open_webhooks: 'Open webhooks',
    keep_account: 'Keep my account',
    open_security: 'Security settings',
    open_reconciliation: 'View the comparison',
    open_payment_returns: 'View refunds and chargebacks',
    open_ticket: 'Open the ticket',
    write_to_us: 'Contact us',
    change_password: 'Choose a new password',
  },
  words: {
    invited: 'you joined by invitation and have played',
    inviter: 'someone you invited has played',
    first_payment: 'someone you invited made their first payment',
    forge_missing_mod: 'a mod that Forge requires is missing',
    out_of_memory: 'it ran out of memory',
    forge_mod_load: 'Forge couldn’t load a mod',
    fabric_mod_load: 'Fabric couldn’t load a mod',
    fabric_incompatible_mods: 'some Fabric mods are incompatible with each other',
    version_downgrade: 'the world was made with a newer version of the game',
    wrong_java: 'it needs a different version of Java',
    java_options: 'Java rejected one of its options',
    java_fault: 'Java itself crashed',
    killed_for_memory: 'it needed more memory than the server has',
    thread_limit: 'it ran out of threads',
    watchdog: 'it stopped responding and shut itself down',
    plugin_missing_dependency: 'a plugin that another plugin depends on is missing',
    ticking_entity: 'something in the world makes the game crash',
    port_taken: 'its port is already in use',
    eula: 'the Minecraft EULA hasn’t been accepted',
    world_locked: 'another process is still using the world',
    disk_full: 'the disk is full',
    unknown: 'we don’t know the cause yet',
    payu: 'PayU',
    paypal: 'PayPal',
    paynow: 'PayNow',
    blik: 'BLIK',
    wallet: 'wallet',
    affiliate: 'affiliate balance',
    'pay-later': 'pay later',
    unknown_browser: 'unknown browser',
    totp: 'codes from an authenticator app',
    passkey: 'passkey',
    NEW: 'new',
    OPEN: 'in progress',
    PENDING: 'we’ve answered',
    SOLVED: 'solved',
    EXTRA_MEMORY: '{size} GiB more memory',
    EXTRA_STORAGE: '{size} GiB more disk',
    EXTRA_PORTS_one: '{size} more port',
    EXTRA_PORTS_other: '{size} more ports',
    BASIC_MAPVIEW: 'Map',
    BASIC_CRAFTUM: 'Website',
    CLOSED: 'closed',
  },
  kinds: {
    ACCOUNT_EMAIL_CONFIRM: {
      title: 'Confirm your e-mail address',
      heading: 'One click and you’re in',
      text: 'Confirm that this address is yours. The link works once and is valid for 24 hours.',
      button: 'Confirm my address',
      foot: 'If you didn’t sign up, you can ignore this e-mail.',
    },
    ACCOUNT_EMAIL_CHANGE: {
      title: 'Confirm your new e-mail address',
      heading: 'Is this your new address?',
      text: 'Once you confirm, your account uses this address and all your devices are logged out. The link works once and is valid for 60 minutes.',
      button: 'Use this address',
      foot: 'If you didn’t ask for this, you can ignore this e-mail. Nothing will change.',
    },
    STEP_UP: {
      title: 'Your confirmation code',
      heading: 'Is it you?',
      text: 'Enter this code to confirm it’s you. It works once and is valid for 10 minutes.',
      foot: 'If you didn’t ask for a code, someone else is logged in to your account: log out all devices.',
    },
    ACCOUNT_DELETE_CONFIRM: {
      title: 'Confirm that you want to delete your account',
      heading: 'Delete your account?',
      text: 'Enter this code to confirm. Your account will be deleted after 14 days, and you can change your mind until then. The code works once and is valid for 10 minutes.',
      foot: 'If you didn’t ask for this, someone else is logged in to your account: change your password now.',
    },
    RESET_PASSWORD: {
      title: 'Choose a new password',
      heading: 'Choose a new password',
      text: 'Use this link to choose a new password. All your devices will be logged out. The link works once and is valid for 60 minutes.',
      button: 'Choose a password',
      foot: 'If you didn’t ask for this, you can ignore this e-mail. Your password stays the same.',
    },
    FAST_LOGIN: {
      title: 'Your login code',
      text: 'Enter it on the page where you asked for it. It works once, for 10 minutes, and only in that browser.',
      foot: 'If you didn’t ask for a code, ignore this e-mail and don’t share the code with anyone.',
    },
    FAST_REGISTER: {
      title: 'Your login code',
      heading: 'Welcome! Here is your code',
      text: 'Enter it on the page where you asked for it and your account is ready. It works once, for 10 minutes, and only in that browser.',
      foot: 'If you didn’t ask for a code, ignore this e-mail and no account will be created.',
    },
    WEBSITE_CREATED: {
      title: '{website} is yours',
      text: 'Your website is ready for its first words. Once you publish it, everyone can find it at {address}.',
      mail: `Your website is ready for its first words. Once you publish it, everyone can find it at {address}.[\n\nRuns until\t{expires}]${price}${websiteRight}${asked}`,
    },
    WEBSITE_RENEWED: {
      title: '{website} has been renewed',
      text: 'It stays online until {expires}.[ The renewal cost {amount}.]',
      mail: `Thank you! Your website has been renewed.\n\nRuns until\t{expires}${price}${websiteRight}${renewalAsked}`,
    },
    WEBSITE_EXPIRES_WARNING: {
      title: '{website} expires in {days}',
      text: 'It will go offline on {expires} unless you renew it.[ Renewing it for {period} costs {amount}.]',
    },
    WEBSITE_EXPIRED: {
      title: '{website} has gone offline',
      text: 'It has expired. Renew it and it comes back right away; otherwise its content will be deleted on {deleted_at}.',
    },
    WEBSITE_CLEANUP_WARNING: {
      title: '{website} will be deleted in {days}',
      text: 'All its pages, versions and images will be lost. Renew it and everything stays.',
    },
    WEBSITE_CLEANED_UP: {
      title: '{website} was deleted',
      text: 'It had expired. We’ll keep the address {address} for you for another 30 days.',
    },
    SERVER_EXPIRED: {
      title: '{server} has expired',
      text: 'The server has stopped. Renew it and it picks up where it left off; otherwise its files will be deleted on {deleted_at}.',
    },
    SERVER_CREATED: {
      title: '{server} is on its way',
      text: 'We’re preparing your server. Its address is {address}.',
      mail: `Thank you! We’re preparing your server; it’s usually up within a minute. Your friends can join at {address}.[\n\nPlan\t{product}][\nRuns until\t{expires}]${price}${right}${asked}[\n\nIt’s yours for free until {free_until}. Once {renew_days} or less are left, you can renew it for free.][ It can be up for {day_hours} a day, {session_hours} at a stretch.]`,
    },
    SERVER_RENEWED: {
      title: '{server} has been renewed',
      text: 'It’s paid until {expires}.[ The renewal cost {amount}.]',
      mail: `Thank you! Your server has been renewed.\n\nRuns until\t{expires}${price}${right}${renewalAsked}`,
    },
    SERVER_CRASHED: {
      title: '{server} has crashed',
      text: 'We’re starting it again. Crashes in a row: {crash_count}. The panel shows the last lines of its log.',
    },
    SERVER_TESTING_ENABLED: {
      title: 'Your trial of {server} has begun',
      text: 'Try everything until {expires}. If you like it, keep it. If not, you don’t need to do anything.',
    },
    SERVER_CLEANED_UP: {
      title: '{server} was removed',
      text: 'It had expired, so the server and its files have been deleted. We’ll keep its address for you a little longer.',
    },
    SERVER_RECOMPENSED: {
      title: 'We added {hours} to {server}',
      text: 'Something on our side didn’t work as it should. We’re sorry, and thank you for your patience.',
    },
    SERVER_BACKUP_FAILED: {
      title: '{server}: backup failed',
      text: 'The last automatic backup didn’t complete. We’ll try again automatically, and your earlier backups are safe.',
    },
    BACKUP_DAMAGED: {
      title: '{server}: backup data is damaged',
      text: 'A test restore didn’t match what had been backed up, or couldn’t be read. Check the backup storage.',
    },
    SERVER_DISK_QUOTA_WARNING: {
      title: '{server} is running out of space',
      text: '{percent}% of the disk is used, with {free} left. Once it’s full, the game can no longer save.',
    },
    SERVER_UNDER_ATTACK: {
      title: '{server} is under a bot attack',
      text: 'Far more unknown players than usual are trying to join. We’re turning them away; anyone who has played here before can join as usual.',
      mail: 'Far more unknown players than usual are trying to join {server}, and we’re turning them away. Anyone who has played here before can join as usual, and new players have to prove they’re human. You don’t need to do anything.',
    },
    SERVER_ATTACK_OVER: {
      title: '{server}: the attack is over',
      text: 'Things are quiet again. Duration in minutes: {minutes}. Joins turned away: {turned_away}.',
    },
    TRASH_MADE_ROOM: {
      title: '{server}: oldest items in the trash deleted to free up space',
      text: 'The disk was full, so the oldest items in the trash were permanently deleted before their seven days were up: {path} ({size} in total).',
    },
    SERVER_CLEANUP_WARNING: {
      title: '{server} will be deleted in {days}',
      text: 'Renew it, or start it if it’s a free server, and everything stays.',
      mail: 'No one has used or paid for this server for a while, so it will be deleted with all its files in {days}. Renew it, or start it if it’s a free server, and everything stays.',
    },
    SERVER_ADDRESS_WARNING: {
      title: '{server}: address will be released in {days}',
      text: 'This server expired a while ago. In {days}, {address} becomes available to others and what’s left of the server is deleted.',
    },
    PACKAGE_INSTALL_FAILED: {
      title: '{server}: installation failed',
      text: 'We couldn’t install {package}. Nothing has changed on your server; the panel shows what went wrong.',
    },
    PROJECT_RELEASED: {
      title: '{project} {version} is out',
      text: '{project}, which you follow, has a new release: {version}. See what’s new on the project page.',
    },
    RELEASE_PUBLISHED: {
      title: '{project} {version} is published',
      text: 'It passed the check and can be installed now.',
    },
    RELEASE_REFUSED: {
      title: '{project} {version} was refused',
      text: 'It didn’t pass the check. The project page shows what was found; correct it and submit the version again.[ Reason: {reason}]',
    },
    RELEASE_WAITING: {
      title: 'A release of {project} is waiting for review',
      text: '{project} {version} will be published once it’s been reviewed. It’s in the moderation queue.',
    },
    PACKAGE_UPDATES_AVAILABLE: {
      title: 'New versions for {server}',
      text: 'Updates are available: {packages}. Install them in the panel whenever it suits you.',
    },
    PACKAGE_QUARANTINED: {
      title: 'A dangerous package was removed from {server}',
      text: '{package} turned out to be harmful. We stopped the game, removed the package and started the game without it. Its file is in the .quarantine folder, where it can’t run. Change any passwords this server had access to.',
    },
    PACKAGE_UNINSTALL_FAILED: {
      title: '{server}: uninstall failed',
      text: 'We couldn’t remove {package}. The panel shows why.',
    },
    SERVER_EXPIRES_WARNING: {
      title: '{server} expires in {days}',
      text: 'It will stop on {expires} unless you renew it.[ Renewing it for {period} costs {amount}.]',
    },
    SERVICE_EXPIRES_WARNING: {
      title: '{product} expires in {days}',
      text: 'It will end on {expires} unless you renew it.',
    },
    PLAYER_JOINED: { title: '{player} is on {server}', text: '{player} has just joined.' },
    PLAYER_TRIED_TO_JOIN: {
      title: '{player} is knocking on {server}',
      text: '{player} tried to join, but the server wasn’t up.',
    },
    RECOGNISED_CRASH: {
      title: 'We know why {server} crashed',
      text: 'Cause: {reason}. See the panel for details.',
    },
    TOO_MANY_PLUGINS: {
      title: '{server} has too many plugins',
      text: 'Your plan allows {limit}. Remove some or choose a bigger plan.',
    },
    SERVICE_CANCELLED: {
      title: 'You have cancelled {server}',
      text: 'It keeps running until {expires} and won’t be renewed. Its files are kept until {deleted_at}. Until it ends, you can take this back with “Undo” under “Plan and payments”.',
    },
    PLAN_CHANGED: {
      title: '{server} is now on {product}',
      text: 'The plan has changed[ from {before}].[ {amount} was paid from your wallet.][ {credited} was credited to your wallet.]',
      mail: `The plan has changed[ from {before}] to {product}.[ {credited} was credited to your wallet, for time you’d paid for at the higher price.][\n\nRuns until\t{expires}]${price}${right}${asked}`,
    },
    ADD_ON_ADDED: {
      title: '{server}: new add-on ({product})',
      text: 'It takes effect at the server’s next start and renews together with it.[ {amount} was paid from your wallet.]',
      mail: `It takes effect at the server’s next start and renews together with it.\n\nAdd-on\t{product}[\nRuns until\t{expires}]${price}${right}${asked}`,
    },
    DOWNGRADE_FAILED: {
      title: '{server} couldn’t be downgraded',
      text: 'The change to {product} didn’t go through because your data doesn’t fit on the smaller plan. Nothing has changed.',
    },
    SUPPORT_TICKET_UPDATED: {
      title: 'Your ticket #{number}: {status}',
      text: '“{subject}”: {status}.',
    },
    SERVER_DISABLED: {
      title: '{server} has been disabled',
      text: 'An administrator disabled it. Reason: {reason}',
      mail: 'An administrator disabled {server}. Reason: {reason}\n\nIt can’t be started until this is lifted. Its files and backups are safe. If you think this is a mistake, contact us.',
    },
    SERVER_ENABLED: {
      title: '{server} has been re-enabled',
      text: 'An administrator re-enabled it. Reason: {reason}',
    },
    SERVER_MOVE_ASKED: {
      title: 'May we move {server}?',
      text: 'We’d like to move it to {cluster}. Its address stays the same. You can accept or decline in its settings; it stays where it is unless you accept. Reason: {reason}',
    },
    SERVER_MIGRATED: {
      title: '{server} has moved',
      text: 'It now runs in {cluster}. Its address hasn’t changed and you don’t need to do anything.',
    },
    SERVER_RESCUED: {
      title: '{server} was restored from a backup',
      text: 'The machine it was on stopped responding, so we restored it in {cluster} from the backup made on {made_at}. Anything built after that isn’t there. Its address hasn’t changed.',
    },
    TESTING_CODE: {
      title: 'Your trial of {product}',
      text: 'We’ve sent you a code. It’s valid until {expires}.',
      mail: 'Use this code to try {product}. Enter it where you redeem vouchers; it works once and is valid until {expires}.',
      foot: 'Keep the code to yourself: anyone who has it can use it.',
    },
    SUCCESSFUL_PAYMENT: {
      title: 'We’ve received your payment of {amount}',
      text: 'The money is in your wallet. Thank you!',
      mail: 'The money is in your wallet. Thank you!\n\nAmount\t{amount}[\nPayment method\t{provider}][\nWallet balance\t{balance}]\n\nYour wallet lists every payment, with its document where there is one.',
    },
    SUPPORT_CREDIT: {
      title: 'Credit from support: {amount}',
      text: 'Our support team added {amount} to your wallet. Their note: {reason}',
      mail: 'Our support team added money to your wallet.\n\nAmount\t{amount}\nTheir note\t{reason}',
    },
    RENEWAL_WITHDRAWN: {
      title: 'You have withdrawn from a renewal of {product}',
      text: 'We received your withdrawal from the last renewal of {product} on {at}. The server is now paid until {until} and no longer renews automatically, and {amount} has been returned to your wallet.',
      mail: 'We received your withdrawal from the last renewal. The server no longer renews automatically. Keep this e-mail as your confirmation.\n\nProduct\t{product}\nReceived\t{at}\nPaid until\t{until}\nReturned to the wallet\t{amount}',
    },
    TAX_CORRECTED: {
      title: 'Your VAT ID is confirmed: {amount} is back in your wallet',
      text: 'The EU register wasn’t available when you paid, so VAT was charged. It has now confirmed your VAT ID: we’ve issued a credit note and a new invoice with reverse charge, and the VAT is in your wallet.',
    },
    CHANGE_WITHDRAWN: {
      title: 'You have withdrawn from {product}',
      text: 'We received your withdrawal from {product} on {at}. Your server continues as before, and {amount} has been returned to your wallet.',
      mail: 'We received your withdrawal. Your server continues as before. Keep this e-mail as your confirmation.\n\nProduct\t{product}\nReceived\t{at}\nReturned to the wallet\t{amount}',
    },
    WITHDRAWAL_CONFIRMED: {
      title: 'You have withdrawn from {product}[ for {server}]',
      text: 'We received your withdrawal from the contract for {product} on {at}. The service has ended, and {amount} has been returned to your wallet.[ Your files are kept until {deleted_at}; until then you can still download them.]',
      mail: 'We received your withdrawal from the contract. The service has ended.[ Your files are kept until {deleted_at}; until then you can still download them.] Keep this e-mail as your confirmation.\n\nProduct\t{product}\nReceived\t{at}\nReturned to the wallet\t{amount}',
    },
    FAILED_PAYMENT: {
      title: 'Your payment didn’t go through',
      text: 'The payment of {amount} failed and nothing was added to your wallet. Try again or choose another payment method.[ Payment method: {provider}.]',
      mail: 'The payment failed and nothing was added to your wallet. Try again or choose another payment method.\n\nAmount\t{amount}[\nPayment method\t{provider}]',
    },
    FREE_PLACE_OFFERED: {
      title: 'It’s your turn',
      text: 'We’re holding a place for your free server until {until}. Take it by then, or it goes to the next person in line.',
    },
    FREE_PLACE_LOST: {
      title: 'Your place went to the next person in line',
      text: 'It wasn’t taken in time. You can join the queue again whenever you like.',
    },
    FREE_SESSION_ENDS: {
      title: '{server} will go to sleep in {minutes} minutes',
      text: 'Players see this in the game too. Add an hour if you want to keep playing.',
    },
    FREE_SESSION_OVER: {
      title: '{server} has gone to sleep',
      text: 'The session is over and the world is saved. Start it again as soon as a place is free.',
    },
    SERVER_CRASHED_TOO_MANY_TIMES: {
      title: '{server} keeps crashing',
      text: 'It crashed {crash_count} times in a row, so we’ve stopped restarting it. You can still read its last log in the panel.',
    },
    AUTO_RENEW_WARNING: {
      title: '{server} expires in {days}: not enough money in your wallet',
      text: 'It expires on {expires}. It renews automatically the day before if your wallet holds {amount} by then, so top it up in time.',
    },
    AUTO_RENEW_FAILED: {
      title: '{server} couldn’t be renewed',
      text: 'Your wallet doesn’t hold the {amount} needed for the renewal. Top it up before {expires}; we’ll try again every hour.',
    },
    PAYMENTS_DIFFER: {
      title: '{provider} and our books don’t match',
      text: 'Differences on {day} that a second check didn’t resolve: {differences}. Look into them: money may have been collected or refunded without our knowing.',
    },
    PAYMENT_REFUNDED: {
      title: 'We’ve refunded {amount}',
      text: 'The money is on its way through {provider}; banks may take a few days. Reason: {reason}.',
      mail: 'The money is on its way; banks may take a few days.\n\nAmount\t{amount}\nThrough\t{provider}\nReason\t{reason}',
    },
    SALE_REFUNDED: {
      title: 'A sale of {amount} was refunded',
      text: 'The buyer gets the money back through {provider}; it comes out of your sales. Reason: {reason}.',
      mail: 'The buyer gets the money back; it comes out of your sales.\n\nAmount\t{amount}\nThrough\t{provider}\nReason\t{reason}',
    },
    REFUND_FAILED: {
      title: 'Your refund of {amount} failed',
      text: '{provider} couldn’t process it. The money is back in your wallet; contact us and we’ll find another way.',
    },
    PAYMENT_TAKEN_BACK: {
      title: 'Your payment of {amount} was reversed',
      text: '{provider} tells us that your bank reversed it. We’ve taken it out of your wallet; still owed: {owed}. You can’t buy anything new until this is settled, and your next payment goes towards it first. If this is a mistake, contact us.',
    },
    PAYMENT_RETURNED: {
      title: '{amount} is back in your wallet',
      text: '{provider} returned the reversed payment to us. It settles what you owed for it first.',
    },
    SECOND_PAYMENT: {
      title: 'You paid twice',
      text: 'A second payment of {amount} came in for the same top-up. It’s in your wallet too; if you’d like it back, contact us.[ Payment method: {provider}.][ Wallet balance: {balance}.]',
      mail: 'A second payment came in for the same top-up. It’s in your wallet too; if you’d like it back, contact us.\n\nAmount\t{amount}[\nPayment method\t{provider}][\nWallet balance\t{balance}]',
    },
    MONEY_TAKEN_BACK: {
      title: '{amount} from {username} was returned outside our system',
      text: '{provider}: {reason}. Owed because the wallet didn’t hold enough: {owed}.',
    },
    REFUND_TROUBLE: {
      title: 'A refund of {amount} to {username} needs attention',
      text: '{provider} says: {reason}. Check it there and record the outcome here.',
    },
    REFERRAL_REWARD: {
      title: '{hours} for an invitation',
      text: 'Reason: {reason}. You can add the hours to any server you pay for.',
    },
    REFERRAL_REVERSED: {
      title: '{hours} were taken back',
      text: 'The payment that earned them was refunded. If you’ve already used the hours, they’ll be deducted from the next ones.',
    },
    COMMISSION_AVAILABLE: {
      title: '{amount} from your referrals',
      text: 'You can now spend it on your servers or move it to your wallet.',
    },
    AFFILIATE_APPROVED: {
      title: 'You’re in the affiliate programme',
      text: 'From now on, everyone who signs up through your link counts towards your commissions.',
    },
    AFFILIATE_SUSPENDED: {
      title: 'Your affiliate account is suspended',
      text: 'Nothing is earned or paid out until this is cleared up. Contact us about it.',
    },
    SHOP_SALE: {
      title: 'Sold: {item} for {amount}',
      text: '{player} gets {item} × {quantity} on {server}. The order shows whether it has been delivered.',
    },
    BILL_DUE: {
      title: '{amount} due within {days}',
      text: 'Your bill is due on {due}. We’ll take it from your wallet then, or you can pay it earlier.',
      mail: 'We’ll take the amount from your wallet when it’s due, or you can pay it earlier.\n\nAmount\t{amount}\nDue\t{due}',
    },
    BILL_OVERDUE: {
      title: '{server} is stopped: a bill is overdue',
      text: '{amount} was due and your wallet didn’t hold enough. Once it’s paid, everything resumes.',
    },
    BILL_PAID: {
      title: 'Your bill for {amount} is paid',
      text: 'Thank you. It was for {server}.',
      mail: 'Thank you.\n\nAmount\t{amount}\nServer\t{server}',
    },
    SERVER_SHARED: {
      title: '{by} shared {server} with you',
      text: 'Accept the invitation to start using it.',
    },
    SERVER_ACCESS_CHANGED: {
      title: 'Your access to {server} has changed',
      text: 'The owner changed what you can do there.',
    },
    SERVER_ACCESS_REVOKED: {
      title: '{server} is no longer shared with you',
      text: 'The owner removed your access.',
    },
    SERVER_GUEST_JOINED: { title: '{guest} joined', text: '{guest} accepted your invitation to {server}.' },
    SERVER_GUEST_LEFT: { title: '{guest} left', text: '{guest} no longer has access to {server}.' },
    NEW_DEVICE: {
      title: 'A new device logged in to your account',
      heading: 'Was this you?',
      text: 'Location: {country} ({ip}). Browser: {browser}.',
      mail: 'Someone logged in to your account on a new device. Location: {country} ({ip}). Browser: {browser}.',
      foot: mine,
    },
    SESSION_STOLEN: {
      title: 'We logged a device out of your account',
      heading: 'A device was logged out',
      text: 'Someone used one of your sessions after it had been replaced. It may have been copied, so we logged that device out.',
      foot: 'If you don’t recognise this, change your password.',
    },
    ADDRESS_TRIED: {
      title: 'Someone tried to sign up with your address',
      heading: 'You already have an account',
      text: 'Someone tried to open an account with your e-mail address. No account was created and nothing has changed for you.',
      foot: 'If it was you, just log in or choose a new password.',
    },
    PASSWORD_CHANGED: {
      title: 'Your password was changed',
      text: 'Your account has a new password and your other devices have been logged out.',
      button: 'It wasn’t me',
      foot: 'If this was you, you don’t need to do anything. API keys, SSH keys and webhooks still work: if someone broke in, remove any you don’t recognise.',
    },
    EMAIL_CHANGED: {
      title: 'Your e-mail address was changed',
      heading: 'Your account has a new address',
      text: 'From now on, your account uses a different e-mail address.',
      mail: 'From now on, your account uses a different e-mail address. This is the last message to this one.',
      button: 'Open my account',
      foot: 'If this wasn’t you, contact us right away.',
    },
    FACTOR_ADDED: {
      title: 'Your account is better protected',
      heading: 'A second step was added',
      text: 'Your account has another way to confirm it’s you: {factor}{name}.',
      foot: 'If this wasn’t you, remove it and change your password.',
    },
    FACTOR_REMOVED: {
      title: 'A second step was removed from your account',
      heading: 'A second step was removed',
      text: 'Your account no longer accepts: {factor}{name}.',
      foot: 'If this wasn’t you, change your password and log out your other devices.',
    },
    RECOVERY_CODES_NEW: {
      title: 'You have new recovery codes',
      heading: 'New recovery codes',
      text: 'Ten new recovery codes were created for your account. The old ones no longer work.',
      foot: 'If this wasn’t you, change your password, then create new codes.',
    },
    RECOVERY_CODE_USED: {
      title: 'A recovery code was used',
      text: 'Someone used one of your recovery codes. Codes left: {left}.',
      foot: 'If this wasn’t you, change your password, then create new codes.',
    },
    SOCIAL_LINKED: {
      title: 'Discord was linked to your account',
      text: '{name} can now log in to your account.',
      foot: mine,
    },
    SOCIAL_UNLINKED: {
      title: 'Discord was unlinked from your account',
      text: '{name} can no longer log in to your account.',
      foot: mine,
    },
    SSH_KEY_ADDED: {
      title: 'An SSH key was added to your account',
      text: 'Its name is “{name}”. Anyone who has it can reach the files of all your servers.',
      foot: 'If this was you, you don’t need to do anything. If not, remove the key and change your password.',
    },
    API_KEY_CREATED: {
      title: 'An API key was created for your account',
      text: 'Its name is “{name}”. Programs that have it can act on your behalf.',
      foot: 'If this was you, you don’t need to do anything. If not, revoke the key and change your password.',
    },
    DELETION_SCHEDULED: {
      title: 'Your account will be deleted',
      text: 'As you requested, your account will be deleted on {at}. You can change your mind until then.',
      foot: 'If this wasn’t you, keep the account and change your password.',
    },
    DATA_EXPORT_READY: {
      title: 'Your data is ready',
      text: 'You can download your archive until {expires}.',
    },
    WEBHOOK_STOPPED: {
      title: 'Messages to {host} have stopped',
      text: 'The address no longer exists or hasn’t accepted anything for days. Once it works again, resume it; failed messages can be resent.',
    },
    ACCOUNT_SUSPENDED: {
      title: 'Your account is suspended',
      text: 'We’ve suspended your account. You can’t log in and your servers are stopped, but their files are safe. Reason: {reason}',
      foot: 'If you think this is a mistake, contact us and we’ll look at it again.',
    },
    ACCOUNT_RESTORED: {
      title: 'Your account is active again',
      heading: 'Welcome back',
      text: 'Your account is no longer suspended. You can log in again, and the servers that were running are starting up.',
      button: 'Log in',
      foot: 'Everything is where you left it.',
    },
  },
}
