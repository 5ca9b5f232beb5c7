/** Limits that the server checks, and that the client's fields have beforehand. Registrations do not name them. */

/** Unicode code points in a message: the API family's limit. Registrations name the one that holds. */
export const MESSAGE_LENGTH_MAX = 10_000
/** Unicode code points in the description of a reported message: the API family's limit. */
export const REPORT_DESCRIPTION_LENGTH_MAX = 1_000
/** Messages in one page, and in one change of flags: the API family's limit. */
export const MESSAGES_PER_PAGE_MAX = 5_000
/** Subscribers of a channel with typing notifications: the API family's limit; larger channels send none. */
export const TYPING_SUBSCRIBERS_MAX = 100
/** Unicode code points in a user's full name: the API family's limit. */
export const FULL_NAME_LENGTH_MAX = 100
/** Unicode code points in the name of a profile field: the API family's limit. */
export const PROFILE_FIELD_NAME_LENGTH_MAX = 40
/** Unicode code points: the API family's limit. */
export const PROFILE_FIELD_HINT_LENGTH_MAX = 80
/** Unicode code points in a short text of a profile: the API family's limit. */
export const PROFILE_SHORT_TEXT_LENGTH_MAX = 50
/** Unicode code points in a long text of a profile: the API family's limit. */
export const PROFILE_LONG_TEXT_LENGTH_MAX = 500
/** Unicode code points: the API family's limit. */
export const SNIPPET_TITLE_LENGTH_MAX = 60
/** Unicode code points: the API family's limit. */
export const ALERT_WORD_LENGTH_MAX = 100
/** Unicode code points; the API family's limit. */
export const STATUS_TEXT_LENGTH_MAX = 60
/** Unicode code points; the API family's limit. */
export const GROUP_NAME_LENGTH_MAX = 100
/** Unicode code points; the same as for channels. */
export const GROUP_DESCRIPTION_LENGTH_MAX = 1_024
/** Unicode code points in a linkifier's pattern or template: each change sends the whole list. */
export const LINKIFIER_TEXT_LENGTH_MAX = 500
/** Unicode code points in the welcome message: the API family's limit. */
export const WELCOME_MESSAGE_LENGTH_MAX = 8_000
/** Characters in the name of a programming language: the API family's limit. */
export const CODE_LANGUAGE_LENGTH_MAX = 40
/** Unicode code points; the API family's limit. */
export const ORGANIZATION_NAME_LENGTH_MAX = 40
/** Unicode code points; the API family's limit. */
export const ORGANIZATION_DESCRIPTION_LENGTH_MAX = 1_000
/** A century; for longer, messages are kept forever. */
export const RETENTION_DAYS_MAX = 36_600
/** Unicode code points; as long as the name of a channel. */
export const HOLD_NAME_LENGTH_MAX = 60
/** Unicode code points; as long as the description of a channel. */
export const HOLD_REASON_LENGTH_MAX = 1_024
