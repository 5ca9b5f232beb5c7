/** What users set for themselves. */

/** Every setting with its default. */
export const USER_SETTINGS_DEFAULTS = {
  /** Whether `:)` becomes an emoji in what the user writes. */
  translatesEmoticons: false,
  /** Whether others may see what the user has read. */
  sendsReadReceipts: true,
  sendsDirectTyping: true,
  sendsChannelTyping: true,
  receivesTyping: true,
}

export type UserSettings = Readonly<typeof USER_SETTINGS_DEFAULTS>
