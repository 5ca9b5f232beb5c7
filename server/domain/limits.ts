/** Every limit of the chat itself, with its unit and its reason; clients read most of them from the registration. */

/** Unicode code points; the API family's default, which clients assume. */
export const CHANNEL_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's default. */
export const CHANNEL_DESCRIPTION_LENGTH_MAX = 1024
/** Unicode code points; the API family's default. */
export const TOPIC_LENGTH_MAX = 60
/** Unicode code points; the API family's default. */
export const MESSAGE_LENGTH_MAX = 10_000
/** Different emoji by which people react to one message: clients show them all in one line. */
export const REACTIONS_PER_MESSAGE_MAX = 20
/** People in one direct conversation; each is named in every one of its events. */
export const CONVERSATION_SIZE_MAX = 100
/** Messages in one page: the API family's limit. */
export const MESSAGES_PER_PAGE_MAX = 5_000
/** Channels in one subscribe call: one transaction locks the log while it writes them. */
export const CHANNELS_PER_CALL_MAX = 1_000
/** Subscriptions made or ended by one call, channels times users, for the same reason. */
export const SUBSCRIPTIONS_PER_CALL_MAX = 100_000
/** Users and groups named by the permissions of the channels that one call may make: each channel is written and told with all. */
export const CHANNEL_HOLDERS_PER_CALL_MAX = 100_000
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
/** Unicode code points in the name of a sending program. */
export const CLIENT_NAME_LENGTH_MAX = 30
/** Unicode code points in a client's own mark of a message it is sending. */
export const LOCAL_ID_LENGTH_MAX = 100

/** Unicode code points; the API family's limit. */
export const GROUP_NAME_LENGTH_MAX = 100
/** Unicode code points; as those of channels. */
export const GROUP_DESCRIPTION_LENGTH_MAX = 1024
/** User groups, deactivated ones included: every registration lists them, and every change of one copies the list. */
export const GROUPS_MAX = 10_000
/** Groups within each other; memberships are found by following them all. */
export const GROUP_NESTING_MAX = 50
/** Subgroups of all groups together: after each change of a group the members of each are put together anew, microseconds apiece. */
export const SUBGROUPS_MAX = 10_000
/** Subgroups added or taken away by one call. */
export const SUBGROUPS_PER_CALL_MAX = 1_000

/** Unicode code points; the API family's limit. */
export const ORGANIZATION_NAME_LENGTH_MAX = 40
/** Unicode code points; the API family's limit. */
export const ORGANIZATION_DESCRIPTION_LENGTH_MAX = 1_000
/** A century: who keeps messages longer keeps them forever. */
export const RETENTION_DAYS_MAX = 36_600
/** A century; who waits longer waits forever. */
export const WAITING_PERIOD_DAYS_MAX = 36_600
/** Unicode code points; the API family's limit. */
export const FOLDER_NAME_LENGTH_MAX = 60
/** Unicode code points; the API family's limit. */
export const FOLDER_DESCRIPTION_LENGTH_MAX = 1_024
/** Folders of channels, archived ones included: every registration lists them all. */
export const FOLDERS_MAX = 1_000

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
