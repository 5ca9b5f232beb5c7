/** Lists of one's own that are in tables alone, and that few users have. */

/** The kinds of such lists. */
export const OWN_LISTS = [
  'drafts',
  'savedSnippets',
  'navigationViews',
  'starredMessages',
  'scheduledMessages',
  'reminders',
  'devices',
] as const

export type OwnList = (typeof OWN_LISTS)[number]
