/** Limits of the chat itself, with their units and reasons; `packages/rules/limits.ts` has those that the client checks, too. */

/** Unicode code points; the API family's default, which clients assume. */
export const CHANNEL_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's default. */
export const CHANNEL_DESCRIPTION_LENGTH_MAX = 1024
/** Unicode code points; the API family's default. */
export const TOPIC_LENGTH_MAX = 60
/** Different emoji in the reactions to one message: clients show them all in one line. */
export const REACTIONS_PER_MESSAGE_MAX = 20
/** Matches of a search that are compared for how well they fit, the newest ones: older ones are seldom meant. */
export const RANKED_MATCHES_MAX = 500
/** Messages of a page that is sorted by fit: nobody looks further down. */
export const FITTING_MESSAGES_MAX = 100
/** Messages moved by one call: it counts and loads all of them first. */
export const MESSAGES_MOVED_MAX = 5_000
/** Messages moved by one change: one event names them all. Writing them blocks sends, some 25 µs apiece. */
export const MESSAGES_MOVED_PER_CHANGE_MAX = 1_000
/** Newest edits shown with a message: a page holds those of all its messages in memory. */
export const EDITS_SHOWN_MAX = 200
/** Characters of former content and HTML shown with a message, for the same reason; the newest edit is always shown. */
export const EDITS_TEXT_LENGTH_MAX = 100_000
/** Former channels stored with a message: its first one, and the newest. */
export const STAYS_MAX = 50
/** People in one conversation; each of its events names all of them. */
export const CONVERSATION_SIZE_MAX = 100
/** Messages that one call flags by id. */
export const FLAGGED_PER_CALL_MAX = 10_000
/** Channels in one subscribe call: its events name them all. */
export const CHANNELS_PER_CALL_MAX = 1_000
/** New channels in one subscribe call: each is announced by a message of its own. */
export const NEW_CHANNELS_PER_CALL_MAX = 250
/** New channels in one change: writing them blocks sends, some 150 µs apiece. */
export const NEW_CHANNELS_PER_CHANGE_MAX = 50

/** Subscriptions that one call adds or removes, channels times users: its reply lists them all. */
export const SUBSCRIPTIONS_PER_CALL_MAX = 10_000
/** Subscriptions that one change adds or removes: writing them blocks sends, some 5 µs apiece. */
export const SUBSCRIPTIONS_PER_CHANGE_MAX = 2_000

/**
 * Users and groups named in the permissions of the channels that one call may create: each channel is written and sent
 * with all of them.
 */
export const CHANNEL_HOLDERS_PER_CALL_MAX = 100_000
/** New subscribers of one call who get a direct message about it: the API family's limit; larger calls send none. */
export const SUBSCRIPTION_NOTICES_MAX = 100
/** Topics with settings of one user: each registration lists them, and every process holds them in memory. */
export const USER_TOPICS_MAX = 10_000
/** A new key replaces the oldest, so a client that logs in at each start cannot grow the table. */
export const API_KEYS_PER_USER_MAX = 100
/** Days in which people set up a second factor: longer than the longest holiday, so that nobody forgets about it. */
export const SECOND_FACTOR_GRACE_DAYS_MAX = 90
/** Unicode code points; shorter passwords are easy to guess. */
export const PASSWORD_LENGTH_MIN = 8
/** Unicode code points; bounds the work of hashing. */
export const PASSWORD_LENGTH_MAX = 1_000
/** Octets in an email address, by RFC 5321's limits rounded to what mail servers accept. */
export const EMAIL_LENGTH_MAX = 254
/** Active bots of one person. */
export const BOTS_PER_USER_MAX = 100
/** Bots of one person, deactivated ones included: every registration lists them all. */
export const BOTS_EVER_PER_USER_MAX = 500
/** Stored keys of one bot, and Unicode code points of all its keys and values: a bot loads all of them at its start. */
export const BOT_STORAGE_KEYS_MAX = 1_000
export const BOT_STORAGE_LENGTH_MAX = 1_000_000
/** Unicode code points; the table's index takes at most some 2,700 bytes. */
export const BOT_STORAGE_KEY_LENGTH_MAX = 500
/** Characters in the address of an outgoing webhook: browsers and servers accept this many. */
export const PAYLOAD_URL_LENGTH_MAX = 2_000
/** Characters in the secret of webhooks to a bot: senders make or take some dozens. */
export const WEBHOOK_SECRET_LENGTH_MAX = 200
/** Profile fields: every registration lists the values of all users in them. */
export const PROFILE_FIELDS_MAX = 100
/** Characters of JSON, some hundred choices: each change of a field sends the data of all fields. */
export const PROFILE_FIELD_DATA_LENGTH_MAX = 10_000
/** Profile fields that clients show beside the name: the API family's limit. */
export const PROFILE_SUMMARY_FIELDS_MAX = 2
/** Users named in one profile field: every registration lists them. */
export const PROFILE_USERS_MAX = 100
/** Drafts of one user: each registration lists them. */
export const DRAFTS_MAX = 1_000
/** Drafts created by one call: each is an event of its own. */
export const DRAFTS_PER_CALL_MAX = 100
/** Unicode code points of all of them: they are written under the lock of the log, for which the sends of others wait. */
export const DRAFTS_LENGTH_PER_CALL_MAX = 100_000
/** Pending and failed scheduled messages of one user: each registration lists them. */
export const SCHEDULED_MESSAGES_MAX = 1_000
/** Reminders of one user, for the same reason. */
export const REMINDERS_MAX = 1_000
/**
 * Characters of Markdown, and of HTML, in all scheduled messages or all reminders of one user: each registration holds
 * them all.
 */
export const SCHEDULED_TEXT_LENGTH_MAX = 5_000_000
/** Unicode code points in the note of a reminder: the API family's limit. */
export const REMINDER_NOTE_LENGTH_MAX = 500
/** Saved snippets of one user: each registration lists them. */
export const SNIPPETS_MAX = 1_000
/** Navigation views of one user: each registration lists them. */
export const NAVIGATION_VIEWS_MAX = 1_000
/** Unicode code points in a view's fragment: a narrow with its operands. */
export const VIEW_FRAGMENT_LENGTH_MAX = 1_000
/** Unicode code points in the name of a view. */
export const VIEW_NAME_LENGTH_MAX = 100
/** Users muted by one user: each change sends the whole list. */
export const MUTED_USERS_MAX = 1_000
/** Alert words of one user: each change sends the whole list, and every process holds all words in memory. */
export const ALERT_WORDS_MAX = 1_000
/** Words and signs in one phrase: matching follows each word of a message this far. */
export const ALERT_WORD_TOKENS_MAX = 20
/** Devices of one user: each registration lists them. */
export const DEVICES_MAX = 100
/** Subscriptions of one user to web push: browsers and apps. A new one replaces the one that was reached the longest time ago. */
export const WEB_PUSHES_MAX = 20
/** Legacy push tokens of one user; a new one replaces the oldest. */
export const PUSH_TOKENS_MAX = 100
/** Unicode code points in a token for push notifications: the API family's limit. */
export const PUSH_TOKEN_LENGTH_MAX = 4_096
/** Characters in the id of an app. */
export const APP_ID_LENGTH_MAX = 255
/** Characters of a registration that a device seals for the relay: a token with its kind and date. */
export const PUSH_REGISTRATION_LENGTH_MAX = 10_000
/** Characters in the name of the key that seals it. */
export const RELAY_KEY_LENGTH_MAX = 255
/** Unicode code points in one submessage: an option of a poll, or a task with its description. */
export const SUBMESSAGE_LENGTH_MAX = 2_000
/** Characters in all submessages of a message, some thousand votes: every reader gets all of them. */
export const SUBMESSAGES_LENGTH_MAX = 100_000
/** Unicode code points in the name of a client. */
export const CLIENT_NAME_LENGTH_MAX = 30
/** Unicode code points in a client's own id for a message that it sends. */
export const LOCAL_ID_LENGTH_MAX = 100

/** Levels of nested groups; finding members follows all of them. */
export const GROUP_NESTING_MAX = 50
/**
 * Subgroups of all groups together: each change of a group recomputes the members of all groups, microseconds apiece.
 */
export const SUBGROUPS_MAX = 10_000
/** Subgroups of the groups that one person created, so that nobody uses up the total; administrators may add more. */
export const SUBGROUPS_PER_PERSON_MAX = 1_000
/** Subgroups that one call adds or removes. */
export const SUBGROUPS_PER_CALL_MAX = 1_000

/** Linkifiers of an organization: every message is searched for each of them. */
export const LINKIFIERS_MAX = 100
/** Instructions of a compiled pattern: at worst, each runs for each character of a message. */
export const LINKIFIER_PROGRAM_LENGTH_MAX = 300
/** Alternative templates of one linkifier. */
export const ALTERNATIVE_TEMPLATES_MAX = 5
/** Playgrounds of an organization: every registration lists them. */
export const PLAYGROUNDS_MAX = 100
/** Unicode code points in the name of a playground. */
export const PLAYGROUND_NAME_LENGTH_MAX = 100
/** Unicode code points in a playground's template. */
export const PLAYGROUND_TEMPLATE_LENGTH_MAX = 1_000
/** Email domains for new users: every registration lists them. */
export const EMAIL_DOMAINS_MAX = 1_000
/** Characters in the name of a domain: the API family's limit. */
export const EMAIL_DOMAIN_LENGTH_MAX = 255
/** Characters in the address of a call server: the API family's limit. */
export const SERVER_URL_LENGTH_MAX = 200
/** Channels that the first set-up makes: it shows one field for all of them. */
export const SETUP_CHANNELS_MAX = 20
/** Characters of that field: the longest names with their line breaks. */
export const SETUP_CHANNELS_LENGTH_MAX = SETUP_CHANNELS_MAX * (2 * CHANNEL_NAME_LENGTH_MAX + 2)
/** The maximum of 32 bits, 68 years, as in the API family; a longer limit is no limit. */
export const TIME_LIMIT_SECONDS_MAX = 2_147_483_647
/** A century; a longer wait is a wait forever. */
export const WAITING_PERIOD_DAYS_MAX = 36_600
/** Valid invitation links of one user; administrators list those of all users. */
export const INVITATIONS_MAX = 100
/** Valid invitations by mail of one user: a list of them is one answer. */
export const MAILED_INVITATIONS_MAX = 1_000
/** Invitations that one user sends by mail in 24 hours: an account must not become a way to mail strangers. */
export const INVITATION_MAILS_OF_USER_MAX = 200
/** The same for all users: mail servers refuse senders of many unwanted mails. */
export const INVITATION_MAILS_MAX = 1_000
/** Invitations that one user sends to one address in 24 hours, with repetitions: nobody may flood a mailbox. */
export const INVITATION_MAILS_TO_ADDRESS_MAX = 5
/** Minutes: a hundred years. */
export const INVITATION_MINUTES_MAX = 52_560_000
/** Channels and groups of one invitation: a new user joins all of them in one change. */
export const INVITATION_CHANNELS_MAX = 1_000
export const INVITATION_GROUPS_MAX = 100
/** Characters of all addresses in one call of invitations. */
export const INVITEES_LENGTH_MAX = 10_000

/** Unicode code points; the API family's limit. */
export const FOLDER_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's limit. */
export const FOLDER_DESCRIPTION_LENGTH_MAX = 1_024
/** Pins of one channel: every registration of its subscribers lists them. */
export const PINS_PER_CHANNEL_MAX = 50
/** Active channel folders: every registration lists them all. */
export const FOLDERS_MAX = 1_000
/** Channel folders, archived ones included. */
export const FOLDERS_EVER_MAX = 10_000

/** Unicode code points in the name and the description of a group of default channels; the API family's limits. */
export const CHANNEL_GROUP_NAME_LENGTH_MAX = 60
export const CHANNEL_GROUP_DESCRIPTION_LENGTH_MAX = 1_024
/** Groups of default channels, and channels in one: each change of them is an event with them all. */
export const CHANNEL_GROUPS_MAX = 50
export const CHANNEL_GROUP_CHANNELS_MAX = 100

/** MiB of an uploaded avatar: the API family's default. */
export const AVATAR_MIB_MAX = 5
/** MiB of an uploaded custom emoji: the API family's default. */
export const EMOJI_MIB_MAX = 5
/** MiB of an uploaded icon or logo of the organization: the API family's default. */
export const ORGANIZATION_PICTURE_MIB_MAX = 5
/** Exports in seven days: each reads the whole organization. The API family's limit. */
export const EXPORTS_PER_WEEK_MAX = 5
/** Exports of a person's own data in seven days: each reads all messages. */
export const OWN_EXPORTS_PER_WEEK_MAX = 3
/** Exports in the list, besides those with an archive: half a year's at most. */
export const EXPORTS_LISTED_MAX = 100
/** Legal holds that are not lifted: each deletion looks at all of them. */
export const HOLDS_MAX = 100
/** People, or channels, that one hold names: for more, owners hold the whole organization. */
export const HOLD_NAMES_MAX = 1_000
/** Days for which an archive is there: it has private data, and takes as much room as the organization. */
export const EXPORT_DAYS = 30
/** Bytes of an archive: 1 TiB, which an object store takes in parts of some 100 MB. */
export const EXPORT_BYTES_MAX = 2 ** 40
/** Imports in the list: only the last one can be under way. */
export const IMPORTS_LISTED_MAX = 50
/** Days for which an import waits for its archive: an upload lasts a day after its beginning. */
export const IMPORT_WAIT_DAYS = 2
/** Days for which a checked archive waits for the owner: it has private data, and takes room. */
export const IMPORT_CHECKED_DAYS = 7
/** Channels with taken names, and people with accounts, in the report of a check: an owner reads through them. */
export const IMPORT_LISTED_NAMES_MAX = 1_000
/** Unicode code points of the name of an archive. */
export const IMPORT_FILE_NAME_LENGTH_MAX = 255
