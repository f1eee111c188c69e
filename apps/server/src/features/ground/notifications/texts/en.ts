import type { Texts } from './types.ts'

const mine = 'It was you? Then there is nothing to do. If not, sign that device out and change your password.'

export const en: Texts = {
  greeting: 'Hi {username},',
  optional: 'You get this mail because your account wants to know about such things.',
  unsubscribe: 'No more mails like this',
  webhookGreeting: { title: 'You are connected', text: 'What you choose to see here will arrive in this channel.' },
  actions: {
    open_server: 'Open the server',
    open_servers: 'See my servers',
    open_website: 'Open the website',
    open_websites: 'See my websites',
    open_project: 'Open the project',
    open_moderation: 'Open the queue',
    renew_website: 'Renew the website',
    open_free_play: 'Open the queue',
    open_account: 'Open my account',
    open_referrals: 'See my invitations',
    open_bills: 'See my bills',
    open_affiliate: 'See my shares',
    see_devices: 'See my devices',
    open_settings: 'Open my settings',
    open_webhooks: 'Open webhooks',
    keep_account: 'Keep my account',
    open_security: 'See my security',
    open_reconciliation: 'See the comparison',
    open_payment_returns: 'See refunds and chargebacks',
    open_ticket: 'Open the ticket',
    write_to_us: 'Write to us',
    change_password: 'Choose a new password',
  },
  words: {
    invited: 'you were invited and have played',
    inviter: 'somebody whom you invited has played',
    first_payment: 'somebody whom you invited has paid for the first time',
    forge_missing_mod: 'a mod that Forge needs is missing',
    out_of_memory: 'it ran out of memory',
    forge_mod_load: 'Forge could not load a mod',
    fabric_mod_load: 'Fabric could not load a mod',
    fabric_incompatible_mods: 'some Fabric mods do not go together',
    version_downgrade: 'the world was made with a newer version of the game',
    wrong_java: 'it needs another version of Java',
    java_options: 'Java does not know one of its options',
    java_fault: 'Java itself crashed',
    killed_for_memory: 'it needed more memory than the server has',
    thread_limit: 'it ran out of threads',
    watchdog: 'it did not answer for too long and ended itself',
    plugin_missing_dependency: 'a plugin that another one needs is missing',
    ticking_entity: 'something in the world makes the game crash',
    port_taken: 'its port is taken',
    eula: 'the EULA of Minecraft has not been accepted',
    world_locked: 'another process still uses the world',
    disk_full: 'the storage is full',
    unknown: 'we do not know the cause yet',
    unknown_browser: 'unknown browser',
    totp: 'codes of an authenticator app',
    passkey: 'passkey',
    NEW: 'new',
    OPEN: 'in our hands',
    PENDING: 'waiting for your answer',
    SOLVED: 'solved',
    CLOSED: 'closed',
  },
  kinds: {
    ACCOUNT_EMAIL_CONFIRM: {
      title: 'Confirm your e-mail address',
      heading: 'One click and you are in',
      text: 'Please confirm that this address is yours. The link works once and for 24 hours.',
      button: 'Confirm my address',
      foot: 'You did not register with us? Then simply ignore this message.',
    },
    ACCOUNT_EMAIL_CHANGE: {
      title: 'Confirm your new e-mail address',
      heading: 'Is this your new address?',
      text: 'From the click on, your account uses this address. All devices are signed out then. The link works once and for 60 minutes.',
      button: 'Use this address',
      foot: 'You did not ask for this? Then simply ignore this message; nothing changes.',
    },
    STEP_UP: {
      title: 'Your confirmation code',
      heading: 'Is it you?',
      text: 'With this code you confirm that it is you. It works once, for 10 minutes.',
      foot: 'You did not ask for a code? Somebody is signed in to your account: sign all devices out.',
    },
    ACCOUNT_DELETE_CONFIRM: {
      title: 'Confirm that your account is to be deleted',
      heading: 'Delete your account?',
      text: 'With this code you confirm it. The account is deleted 14 days later; until then you can change your mind. The code works once, for 10 minutes.',
      foot: 'You did not ask for this? Somebody is signed in to your account: change your password now.',
    },
    RESET_PASSWORD: {
      title: 'Choose a new password',
      heading: 'A new password',
      text: 'Choose a new password with this link. All devices are signed out then. It works once and for 60 minutes.',
      button: 'Choose a password',
      foot: 'You did not ask for this? Then simply ignore this message; your password stays as it is.',
    },
    FAST_LOGIN: {
      title: 'Your sign-in code',
      text: 'Type it where you asked for it. It works once, for 10 minutes, in that browser only.',
      foot: 'You did not ask for a code? Then ignore this message, and tell the code to nobody.',
    },
    FAST_REGISTER: {
      title: 'Your sign-in code',
      heading: 'Welcome! Here is your code',
      text: 'Type it where you asked for it, and your account is ready. It works once, for 10 minutes, in that browser only.',
      foot: 'You did not ask for a code? Then ignore this message, and no account will be made.',
    },
    WEBSITE_CREATED: {
      title: '{website} is yours',
      text: 'Your website waits for its first words. Once you publish it, everybody finds it at {address}.',
    },
    WEBSITE_RENEWED: { title: '{website} is renewed', text: 'It stays online until {expires}.' },
    WEBSITE_EXPIRES_WARNING: {
      title: '{website} expires in {days}',
      text: 'It goes offline on {expires} unless you renew it.',
    },
    WEBSITE_EXPIRED: {
      title: '{website} has gone offline',
      text: 'Its time is over. Renew it, and it is back at once; what is in it is deleted on {deleted_at}.',
    },
    WEBSITE_CLEANUP_WARNING: {
      title: '{website} will be deleted in {days}',
      text: 'All its pages, versions and pictures go then. Renew it, and everything stays.',
    },
    WEBSITE_CLEANED_UP: {
      title: '{website} was deleted',
      text: 'Its time was over. The address {address} is kept for you for another 30 days.',
    },
    SERVER_EXPIRED: {
      title: '{server} has expired',
      text: 'The server is stopped. Renew it, and it goes on as it was; its files are deleted on {deleted_at}.',
    },
    SERVER_CREATED: {
      title: '{server} is on its way',
      text: 'We are preparing your server. Its address is {address}.',
      mail: 'Thank you! We are preparing your server; it is usually up within a minute. Your friends join at {address}.',
    },
    SERVER_RENEWED: { title: '{server} is renewed', text: 'It runs until {expires}.' },
    SERVER_CRASHED: {
      title: '{server} has crashed',
      text: 'We start it again. Crashes in a row: {crash_count}. The panel shows the last lines of its log.',
    },
    SERVER_TESTING_ENABLED: {
      title: 'Your trial of {server} has begun',
      text: 'Try everything until {expires}. If you like it, keep it; if not, there is nothing to do.',
    },
    SERVER_CLEANED_UP: {
      title: '{server} was removed',
      text: 'Its time was over, so the server and its files are deleted. Its address is kept for you a little longer.',
    },
    SERVER_RECOMPENSED: {
      title: 'We added {hours} to {server}',
      text: 'Something on our side did not work as it should. Sorry, and thank you for your patience.',
    },
    SERVER_BACKUP_FAILED: {
      title: '{server}: a backup failed',
      text: 'The last automatic backup could not be made. It is tried again by itself; the backups from before are there.',
    },
    BACKUP_DAMAGED: {
      title: '{server}: data of a backup is damaged',
      text: 'A restored backup was not what had been backed up, or could not be read. Check the storage of the backups.',
    },
    SERVER_DISK_QUOTA_WARNING: {
      title: '{server} is running out of space',
      text: '{percent} % of the disk is used, {free} are left. Once it is full, the game can no longer save.',
    },
    SERVER_UNDER_ATTACK: {
      title: '{server}: bots attack',
      text: 'Far more unknown players than usual try to join. They are turned away; whoever has played here before can join as usual.',
      mail: 'Far more unknown players than usual try to join {server}. They are turned away. Whoever has played here before can join as usual, and newcomers have to show that they are people. There is nothing that you have to do.',
    },
    SERVER_ATTACK_OVER: {
      title: '{server}: the attack is over',
      text: 'It is quiet again. Duration in minutes: {minutes}. Joins turned away: {turned_away}.',
    },
    TRASH_MADE_ROOM: {
      title: '{server}: files in the trash had to make room',
      text: 'The disk was full, so the oldest things in the trash were deleted for good before their seven days: {path} ({size} in all).',
    },
    SERVER_CLEANUP_WARNING: {
      title: '{server} will be deleted in {days}',
      text: 'Renew it, or start it if it is a free one, and everything stays.',
      mail: 'Nobody has used or paid for this server for a while, so it will be deleted with all its files in {days}. Renew it, or start it if it is a free one, and everything stays.',
    },
    SERVER_ADDRESS_WARNING: {
      title: '{server}: its address is given up in {days}',
      text: 'The server ended a while ago. After that {address} is free for others, and what is left of the server is deleted.',
    },
    PACKAGE_INSTALL_FAILED: {
      title: 'Something could not be installed on {server}',
      text: '{package} could not be installed. Everything is as it was before; the panel shows why it failed.',
    },
    PROJECT_RELEASED: {
      title: '{project} {version} is out',
      text: '{project}, which you follow, has a new release: {version}. The project’s page says what is new.',
    },
    RELEASE_WAITING: {
      title: 'A release of {project} waits',
      text: '{project} {version} is published when somebody has looked at it. It is in the moderation queue.',
    },
    PACKAGE_UPDATES_AVAILABLE: {
      title: 'New versions for {server}',
      text: 'There are updates: {packages}. Take them in the panel when it suits you.',
    },
    PACKAGE_QUARANTINED: {
      title: 'A dangerous package was removed from {server}',
      text: '{package} turned out to be harmful. We have stopped the game, taken the package away and started the game without it. Its file lies in the folder .quarantine and does nothing there. Change passwords that this server knew.',
    },
    PACKAGE_UNINSTALL_FAILED: {
      title: 'Something could not be removed from {server}',
      text: '{package} could not be removed. The panel shows why.',
    },
    SERVER_EXPIRES_WARNING: {
      title: '{server} expires in {days}',
      text: 'It stops on {expires} unless you renew it.',
    },
    SERVICE_EXPIRES_WARNING: {
      title: '{product} expires in {days}',
      text: 'It ends on {expires} unless you renew it.',
    },
    PLAYER_JOINED: { title: '{player} is on {server}', text: '{player} has just joined.' },
    PLAYER_TRIED_TO_JOIN: {
      title: '{player} is knocking at {server}',
      text: '{player} wanted to join, but the server was not up.',
    },
    RECOGNISED_CRASH: {
      title: 'We know why {server} crashed',
      text: 'The cause: {reason}. The panel shows the details.',
    },
    TOO_MANY_PLUGINS: {
      title: '{server} has too many plugins',
      text: 'Your plan allows {limit}. Remove some, or choose a bigger plan.',
    },
    DOWNGRADE_FAILED: {
      title: '{server} could not be made smaller',
      text: 'The change to {product} did not go through: what is stored has to fit the smaller plan. Nothing has changed.',
    },
    SUPPORT_TICKET_UPDATED: {
      title: 'Your ticket #{number}: {status}',
      text: '“{subject}” is {status} now.',
    },
    SERVER_DISABLED: {
      title: '{server} has been disabled',
      text: 'An administrator has disabled it: {reason}',
      mail: 'An administrator has disabled {server}. Reason: {reason}\n\nIt cannot be started until that is lifted. Its files and backups stay where they are. If you think that this is a mistake, write to us.',
    },
    SERVER_ENABLED: {
      title: '{server} may run again',
      text: 'An administrator has allowed it to run again: {reason}',
    },
    SERVER_MOVE_ASKED: {
      title: 'May we move {server}?',
      text: 'We would like to move it to {cluster}. Reason: {reason} Its address stays the same. You can agree or decline in its settings; until you do, it stays where it is.',
    },
    SERVER_MIGRATED: {
      title: '{server} has moved',
      text: 'It runs on {cluster} now. Its address is the same, and there is nothing for you to do.',
    },
    TESTING_CODE: {
      title: 'Your trial of {product}',
      text: 'We have mailed you a code for it. It works until {expires}.',
      mail: 'With this code you try {product}. Type it where you redeem vouchers; it works once, until {expires}.',
      foot: 'Keep the code to yourself: whoever has it can use it.',
    },
    SUCCESSFUL_PAYMENT: {
      title: 'Your payment of {amount} has arrived',
      text: 'The money is in your wallet. Thank you!',
    },
    SUPPORT_CREDIT: {
      title: 'Credit from support: {amount}',
      text: 'Our support team has added {amount} to your wallet. Their note: {reason}',
    },
    RENEWAL_WITHDRAWN: {
      title: 'You have withdrawn from a renewal of {product}',
      text: 'We received your withdrawal from the last renewal of {product} on {at}. The server is paid until {until} now, no longer renews automatically, and {amount} went back to your wallet. Keep this message as the acknowledgement.',
    },
    TAX_CORRECTED: {
      title: 'Your VAT id is confirmed: {amount} is back in your wallet',
      text: 'The EU’s register had not answered when you paid, so VAT was charged. Now it knows your VAT id: the purchase has a credit note and a new invoice with reverse charge, and the VAT is in your wallet.',
    },
    CHANGE_WITHDRAWN: {
      title: 'You have withdrawn from {product}',
      text: 'We received your withdrawal from {product} on {at}. Your server runs on as it was before, and {amount} went back to your wallet. Keep this message as the acknowledgement.',
    },
    WITHDRAWAL_CONFIRMED: {
      title: 'You have withdrawn from {product}',
      text: 'We received your withdrawal from the contract for {product} on {at}. The service has ended, and {amount} went back to your wallet. Keep this message as the acknowledgement.',
    },
    FAILED_PAYMENT: {
      title: 'Your payment did not go through',
      text: 'The payment of {amount} failed, and nothing was added to your wallet. Try again, or pay in another way.',
    },
    FREE_PLACE_OFFERED: {
      title: 'It is your turn',
      text: 'A place for your free server is held for you until {until}. Take it before then, or it goes to the next in line.',
    },
    FREE_PLACE_LOST: {
      title: 'Your place went to the next in line',
      text: 'Nobody took it in time. Join the queue again whenever you like.',
    },
    FREE_SESSION_ENDS: {
      title: '{server} goes to sleep in {minutes} minutes',
      text: 'Players are told in the game. Add an hour if you want to play on.',
    },
    FREE_SESSION_OVER: {
      title: '{server} has gone to sleep',
      text: 'Its session is over and the world is saved. Start it again as soon as there is a place.',
    },
    SERVER_CRASHED_TOO_MANY_TIMES: {
      title: '{server} keeps crashing',
      text: 'It crashed {crash_count} times in a row, so we have stopped starting it. Its last log stays readable in the panel.',
    },
    AUTO_RENEW_WARNING: {
      title: '{server} expires in {days}: your wallet lacks funds',
      text: 'It ends on {expires}. A day before that it renews automatically, if your wallet holds {amount} by then. Top it up in time.',
    },
    AUTO_RENEW_FAILED: {
      title: '{server} could not be renewed',
      text: 'Your wallet lacks the {amount} for it. Top it up before {expires}; we try again every hour.',
    },
    PAYMENTS_DIFFER: {
      title: '{provider} and our books differ',
      text: 'Differences of {day} that asking again could not settle: {differences}. Look into them: money may have been taken, or given back, that we know nothing of.',
    },
    PAYMENT_REFUNDED: {
      title: 'We have given {amount} back',
      text: 'It is on its way to you through {provider}; banks take some days. Why: {reason}.',
    },
    REFUND_FAILED: {
      title: 'Your refund of {amount} failed',
      text: '{provider} could not give it back. The money is in your wallet again; write to us, and we find another way.',
    },
    PAYMENT_TAKEN_BACK: {
      title: 'Your payment of {amount} was taken back',
      text: '{provider} tells us that your bank took it back. We took it out of your wallet; still owed: {owed}. While something is owed nothing new can be bought, and your next payment settles it first. If that was a mistake, write to us.',
    },
    PAYMENT_RETURNED: {
      title: '{amount} are in your wallet again',
      text: '{provider} gave us the payment back that had been taken. What was owed for it is settled first.',
    },
    SECOND_PAYMENT: {
      title: 'You have paid twice',
      text: 'A second payment of {amount} came in for the same top-up. It is in your wallet, too; if you want it back, write to us.',
    },
    MONEY_TAKEN_BACK: {
      title: '{amount} of {username} left past us',
      text: '{provider}: {reason}. Owed, since the wallet did not hold it: {owed}.',
    },
    REFUND_TROUBLE: {
      title: 'A refund of {amount} to {username} needs you',
      text: '{provider} says: {reason}. Look into it there, and say here how it ended.',
    },
    REFERRAL_REWARD: {
      title: '{hours} for an invitation',
      text: 'Why: {reason}. You can put the hours on any server that you pay for.',
    },
    REFERRAL_REVERSED: {
      title: '{hours} were taken back',
      text: 'The payment that had earned them was given back. If you have used the hours already, the next ones make up for them.',
    },
    COMMISSION_AVAILABLE: {
      title: '{amount} from your recommendations',
      text: 'You can use it for your servers now, or move it to your wallet.',
    },
    AFFILIATE_APPROVED: {
      title: 'You are in the affiliate programme',
      text: 'Whoever registers by your link from now on counts for you.',
    },
    AFFILIATE_SUSPENDED: {
      title: 'Your part in the affiliate programme is suspended',
      text: 'Nothing more is earned or paid until this has been cleared up. Write to us about it.',
    },
    BILL_DUE: {
      title: '{amount} to be paid within {days}',
      text: 'Your bill is due on {due}. We take it from your wallet then, or you pay it before.',
    },
    BILL_OVERDUE: {
      title: '{server} stands still: a bill is overdue',
      text: '{amount} was to be paid and the wallet lacked it. Once it is paid, everything goes on.',
    },
    BILL_PAID: {
      title: 'Your bill of {amount} is paid',
      text: 'Thank you. It was for {server}.',
    },
    SERVER_SHARED: {
      title: '{by} shares {server} with you',
      text: 'Accept the invitation to use it.',
    },
    SERVER_ACCESS_CHANGED: {
      title: 'What you may do on {server} has changed',
      text: 'Its owner has changed your access.',
    },
    SERVER_ACCESS_REVOKED: {
      title: '{server} is no longer shared with you',
      text: 'Its owner has ended your access.',
    },
    SERVER_GUEST_JOINED: { title: '{guest} is in', text: '{guest} has accepted your invitation to {server}.' },
    SERVER_GUEST_LEFT: { title: '{guest} has left', text: '{guest} no longer has access to {server}.' },
    NEW_DEVICE: {
      title: 'A new device signed in to your account',
      heading: 'Was this you?',
      text: 'Place: {country} ({ip}). Browser: {browser}.',
      mail: 'Somebody signed in to your account on a new device. Place: {country} ({ip}). Browser: {browser}.',
      foot: mine,
    },
    SESSION_STOLEN: {
      title: 'We signed a device out of your account',
      heading: 'A device was signed out',
      text: 'Somebody used a sign-in of yours that had been replaced. It may have been copied, so that device was signed out.',
      foot: 'If you do not know why, change your password.',
    },
    ADDRESS_TRIED: {
      title: 'Somebody tried to register with your address',
      heading: 'You already have an account',
      text: 'Somebody tried to open an account with your e-mail address. No account was opened and nothing of yours has changed.',
      foot: 'If it was you, just log in, or choose a new password.',
    },
    PASSWORD_CHANGED: {
      title: 'Your password was changed',
      text: 'The password of your account is a new one, and other devices are signed out.',
      button: 'It was not me',
      foot: 'It was you? Then there is nothing to do.',
    },
    EMAIL_CHANGED: {
      title: 'Your e-mail address was changed',
      heading: 'Your account has another address now',
      text: 'Your account uses another e-mail address from now on.',
      mail: 'Your account uses another e-mail address from now on. This is the last message to this one.',
      button: 'Open my account',
      foot: 'It was not you? Write to us at once.',
    },
    FACTOR_ADDED: {
      title: 'Your account is guarded better now',
      heading: 'A second step was added',
      text: 'Your account has one more way to prove that it is you: {factor}{name}.',
      foot: 'It was not you? Remove it, and change your password.',
    },
    FACTOR_REMOVED: {
      title: 'A second step was removed from your account',
      heading: 'A second step was removed',
      text: 'Your account no longer accepts: {factor}{name}.',
      foot: 'It was not you? Change your password and sign other devices out.',
    },
    RECOVERY_CODES_NEW: {
      title: 'You have new recovery codes',
      heading: 'New recovery codes',
      text: 'Ten new recovery codes were made for your account. Those before no longer work.',
      foot: 'It was not you? Change your password, then make new codes.',
    },
    RECOVERY_CODE_USED: {
      title: 'A recovery code was used',
      text: 'Somebody used one of your recovery codes. Codes left: {left}.',
      foot: 'It was not you? Change your password, then make new codes.',
    },
    SOCIAL_LINKED: {
      title: 'Discord was linked to your account',
      text: '{name} can sign in to your account from now on.',
      foot: mine,
    },
    SOCIAL_UNLINKED: {
      title: 'Discord was unlinked from your account',
      text: '{name} can no longer sign in to your account.',
      foot: mine,
    },
    SSH_KEY_ADDED: {
      title: 'An SSH key was added to your account',
      text: 'Its name is “{name}”. Whoever has it reaches the files of all your servers.',
      foot: 'It was you? Then there is nothing to do. If not, remove the key and change your password.',
    },
    API_KEY_CREATED: {
      title: 'An API key was made for your account',
      text: 'Its name is “{name}”. Programs that hold it can act for you.',
      foot: 'It was you? Then there is nothing to do. If not, revoke the key and change your password.',
    },
    DELETION_SCHEDULED: {
      title: 'Your account will be deleted',
      text: 'As you wished, your account will be deleted on {at}. Until then you can change your mind.',
      foot: 'It was not you? Keep the account and change your password.',
    },
    DATA_EXPORT_READY: {
      title: 'Your data is ready',
      text: 'You can download the archive with your data until {expires}.',
    },
    WEBHOOK_STOPPED: {
      title: 'Messages to {host} have stopped',
      text: 'The address is gone, or has accepted nothing for days. Once it works again, resume it; failed messages can be resent.',
    },
    ACCOUNT_SUSPENDED: {
      title: 'Your account is suspended',
      text: 'We have suspended your account. You cannot sign in, and your servers are stopped; their files are kept. The reason: {reason}',
      foot: 'You think that we are wrong? Write to us, and we look at it again.',
    },
    ACCOUNT_RESTORED: {
      title: 'Your account is open again',
      heading: 'Welcome back',
      text: 'The suspension of your account has ended. You can sign in again, and servers that were running are starting.',
      button: 'Sign in',
      foot: 'Everything is where you left it.',
    },
  },
}
