/** Every limit of the chat itself, with its unit and its reason; clients read most of them from the registration. */

/** Unicode code points; the API family's default, which clients assume. */
export const CHANNEL_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's default. */
export const CHANNEL_DESCRIPTION_LENGTH_MAX = 1024
/** Unicode code points; the API family's default. */
export const TOPIC_LENGTH_MAX = 60
/** Unicode code points; the API family's default. */
export const MESSAGE_LENGTH_MAX = 10_000
/** Unicode code points in what a report says of a message: the API family's limit. */
export const REPORT_DESCRIPTION_LENGTH_MAX = 1_000
/** Different emoji by which people react to one message: clients show them all in one line. */
export const REACTIONS_PER_MESSAGE_MAX = 20
/** Messages that one call moves: all of them are looked up first, and counted. */
export const MESSAGES_MOVED_MAX = 5_000
/** Those of one change: one event names them all, and nobody sends while they are written, some 25 µs apiece. */
export const MESSAGES_MOVED_PER_CHANGE_MAX = 1_000
/** Edits that a message shows, the newest: those of all messages of a page are in memory at once. */
export const EDITS_SHOWN_MAX = 200
/** Characters of former content and its HTML that a message shows, for the same reason; the newest edit is always there. */
export const EDITS_TEXT_LENGTH_MAX = 100_000
/** Former channels that a message remembers: the one it was sent to, and the newest. */
export const STAYS_MAX = 50
/** People in one direct conversation; each is named in every one of its events. */
export const CONVERSATION_SIZE_MAX = 100
/** Messages in one page: the API family's limit. */
export const MESSAGES_PER_PAGE_MAX = 5_000
/** Messages of which one call sets a flag, by their ids. */
export const FLAGGED_PER_CALL_MAX = 10_000
/** Channels in one subscribe call: its events name them all. */
export const CHANNELS_PER_CALL_MAX = 1_000
/**
 * Those of them that it makes: nobody sends while they are written, with all that they are, and told, some 150 µs apiece.
 */
export const NEW_CHANNELS_PER_CALL_MAX = 250

/** Subscriptions made or ended by one call, channels times users: nobody sends while they are written, some 40 ms. */
export const SUBSCRIPTIONS_PER_CALL_MAX = 10_000

/** Users and groups named by the permissions of the channels that one call may make: each channel is written and told with all. */
export const CHANNEL_HOLDERS_PER_CALL_MAX = 100_000
/** Subscribers of a channel in which they are told who types: the API family's limit; past it nobody is. */
export const TYPING_SUBSCRIBERS_MAX = 100
/** People newly subscribed by one call who are told of it by direct message: the API family's limit; past it nobody is. */
export const SUBSCRIPTION_NOTICES_MAX = 100
/** Topics that one user has said something of: each registration lists them, and every process holds them in memory. */
export const USER_TOPICS_MAX = 10_000
/** New keys push out the oldest, so a client that logs in at each start cannot grow the table. */
export const API_KEYS_PER_USER_MAX = 100
/** Unicode code points in a user's full name: the API family's limit. */
export const FULL_NAME_LENGTH_MAX = 100
/** Unicode code points; below it a password is guessed too soon. */
export const PASSWORD_LENGTH_MIN = 8
/** Unicode code points; bounds what is hashed. */
export const PASSWORD_LENGTH_MAX = 1_000
/** Octets in an email address, by RFC 5321's limits rounded to what mail servers accept. */
export const EMAIL_LENGTH_MAX = 254
/** Bots of one person that are active. */
export const BOTS_PER_USER_MAX = 100
/** The same, deactivated ones included: every registration lists them all. */
export const BOTS_EVER_PER_USER_MAX = 500
/** Texts that a bot keeps here, and Unicode code points of them and their keys: it reads all of them at its start. */
export const BOT_STORAGE_KEYS_MAX = 1_000
export const BOT_STORAGE_LENGTH_MAX = 1_000_000
/** Unicode code points; the index of the table takes no more than some 2,700 bytes. */
export const BOT_STORAGE_KEY_LENGTH_MAX = 500
/** Characters in the address of an outgoing webhook: what browsers and servers take. */
export const PAYLOAD_URL_LENGTH_MAX = 2_000
/** Fields of the users' profiles: every registration lists the values of all users in them. */
export const PROFILE_FIELDS_MAX = 100
/** Unicode code points in what a field is called: the API family's limit. */
export const PROFILE_FIELD_NAME_LENGTH_MAX = 40
/** Unicode code points: the API family's limit. */
export const PROFILE_FIELD_HINT_LENGTH_MAX = 80
/** Characters of JSON, some hundred choices: each change of a field tells those of all. */
export const PROFILE_FIELD_DATA_LENGTH_MAX = 10_000
/** Fields that clients show with the name: the API family's limit. */
export const PROFILE_SUMMARY_FIELDS_MAX = 2
/** Unicode code points in a profile's short texts: the API family's limit. */
export const PROFILE_SHORT_TEXT_LENGTH_MAX = 50
/** Unicode code points in a profile's long texts: the API family's limit. */
export const PROFILE_LONG_TEXT_LENGTH_MAX = 500
/** Users named in one field of a profile: every registration lists them. */
export const PROFILE_USERS_MAX = 100
/** Drafts of one user: each registration lists them. */
export const DRAFTS_MAX = 1_000
/** Drafts made by one call: each is written by itself, while the log is locked. */
export const DRAFTS_PER_CALL_MAX = 100
/** Scheduled messages of one user that wait or have failed: each registration lists them. */
export const SCHEDULED_MESSAGES_MAX = 1_000
/** Reminders of one user, for the same reason. */
export const REMINDERS_MAX = 1_000
/** Characters of Markdown and HTML in all of either that one user has: each registration holds them all. */
export const SCHEDULED_TEXT_LENGTH_MAX = 5_000_000
/** Unicode code points in what somebody notes with a reminder: the API family's limit. */
export const REMINDER_NOTE_LENGTH_MAX = 500
/** Saved snippets of one user: each registration lists them. */
export const SNIPPETS_MAX = 1_000
/** Unicode code points: the API family's limit. */
export const SNIPPET_TITLE_LENGTH_MAX = 60
/** Views that one user keeps in the navigation, for the same reason. */
export const NAVIGATION_VIEWS_MAX = 1_000
/** Unicode code points in the part of an address that a view is: a narrow with its operands. */
export const VIEW_FRAGMENT_LENGTH_MAX = 1_000
/** Unicode code points in what a view is called. */
export const VIEW_NAME_LENGTH_MAX = 100
/** Users whom one user has muted: each change tells of them all. */
export const MUTED_USERS_MAX = 1_000
/** Words of which one user is alerted, for the same reason; every process holds all in memory. */
export const ALERT_WORDS_MAX = 1_000
/** Unicode code points: the API family's limit. */
export const ALERT_WORD_LENGTH_MAX = 100
/** Words and signs in one phrase: each word of a message is followed so far. */
export const ALERT_WORD_TOKENS_MAX = 20
/** Devices of one user: each registration lists them. */
export const DEVICES_MAX = 100
/** Tokens of older apps of one user; of more the oldest go. */
export const PUSH_TOKENS_MAX = 100
/** Unicode code points in a token for push notifications: the API family's limit. */
export const PUSH_TOKEN_LENGTH_MAX = 4_096
/** Characters in the id of an app. */
export const APP_ID_LENGTH_MAX = 255
/** Characters of what a device seals for the relay: a token with its kind and date. */
export const PUSH_REGISTRATION_LENGTH_MAX = 10_000
/** Characters in the name of the key that it is sealed with. */
export const RELAY_KEY_LENGTH_MAX = 255
/** Unicode code points in one submessage: an option of a poll, or a task with its description. */
export const SUBMESSAGE_LENGTH_MAX = 2_000
/** Characters of all submessages of a message, some thousand votes: whoever reads it is sent them all. */
export const SUBMESSAGES_LENGTH_MAX = 100_000
/** Unicode code points; the API family's limit. */
export const STATUS_TEXT_LENGTH_MAX = 60
/** Unicode code points in the name of a sending program. */
export const CLIENT_NAME_LENGTH_MAX = 30
/** Unicode code points in a client's own mark of a message it is sending. */
export const LOCAL_ID_LENGTH_MAX = 100

/** Unicode code points; the API family's limit. */
export const GROUP_NAME_LENGTH_MAX = 100
/** Unicode code points; as those of channels. */
export const GROUP_DESCRIPTION_LENGTH_MAX = 1024
/** Groups within each other; memberships are found by following them all. */
export const GROUP_NESTING_MAX = 50
/** Subgroups of all groups together: after each change of a group the members of each are put together anew, microseconds apiece. */
export const SUBGROUPS_MAX = 10_000
/** Those of the groups that one person made, so that nobody takes the room of all; administrators may add more. */
export const SUBGROUPS_PER_PERSON_MAX = 1_000
/** Subgroups added or taken away by one call. */
export const SUBGROUPS_PER_CALL_MAX = 1_000

/** Linkifiers of an organization: each message is looked through for every one. */
export const LINKIFIERS_MAX = 100
/** Unicode code points in the pattern or a template of a linkifier: its list is told with each of its changes. */
export const LINKIFIER_TEXT_LENGTH_MAX = 500
/** Instructions of a pattern's program: at worst, each is taken for each character of a message. */
export const LINKIFIER_PROGRAM_LENGTH_MAX = 300
/** Other templates of one linkifier. */
export const ALTERNATIVE_TEMPLATES_MAX = 5
/** Playgrounds of an organization: every registration lists them. */
export const PLAYGROUNDS_MAX = 100
/** Unicode code points in what a playground is called. */
export const PLAYGROUND_NAME_LENGTH_MAX = 100
/** Unicode code points in a playground's template. */
export const PLAYGROUND_TEMPLATE_LENGTH_MAX = 1_000
/** Domains of which newcomers may have addresses: every registration lists them. */
export const EMAIL_DOMAINS_MAX = 1_000
/** Characters in the name of a domain: the API family's limit. */
export const EMAIL_DOMAIN_LENGTH_MAX = 255
/** Unicode code points in what newcomers are greeted with: the API family's limit. */
export const WELCOME_MESSAGE_LENGTH_MAX = 8_000
/** Characters in the name of a language of code: the API family's limit. */
export const CODE_LANGUAGE_LENGTH_MAX = 40
/** Characters in the address of a server for calls: the API family's limit. */
export const SERVER_URL_LENGTH_MAX = 200
/** Unicode code points; the API family's limit. */
export const ORGANIZATION_NAME_LENGTH_MAX = 40
/** Unicode code points; the API family's limit. */
export const ORGANIZATION_DESCRIPTION_LENGTH_MAX = 1_000
/** A century: who keeps messages longer keeps them forever. */
export const RETENTION_DAYS_MAX = 36_600
/** What 32 bits hold, 68 years, as in the API family: what may be done for longer may be done for ever. */
export const TIME_LIMIT_SECONDS_MAX = 2_147_483_647
/** A century; who waits longer waits forever. */
export const WAITING_PERIOD_DAYS_MAX = 36_600
/** Of one user, and not over; administrators list those of all. */
export const INVITATIONS_MAX = 100
/** Minutes: a hundred years. */
export const INVITATION_MINUTES_MAX = 52_560_000
/** Channels and groups of one invitation: whoever joins by it does so to all in one change. */
export const INVITATION_CHANNELS_MAX = 1_000
export const INVITATION_GROUPS_MAX = 100
/** Characters of all addresses to be invited at once. */
export const INVITEES_LENGTH_MAX = 10_000

/** Unicode code points; the API family's limit. */
export const FOLDER_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's limit. */
export const FOLDER_DESCRIPTION_LENGTH_MAX = 1_024
/** Folders of channels that are in use: every registration lists them all. */
export const FOLDERS_MAX = 1_000
/** The same, archived ones included. */
export const FOLDERS_EVER_MAX = 10_000

/** MiB of a file from which an avatar is made: the API family's default. */
export const AVATAR_MIB_MAX = 5
/** The same for a custom emoji. */
export const EMOJI_MIB_MAX = 5

/** Counts Unicode code points, the unit of all text limits. */
export function countCodePoints(text: string): number {
  let surrogatePairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        surrogatePairs++
        index++
      }
    }
  }
  return text.length - surrogatePairs
}
