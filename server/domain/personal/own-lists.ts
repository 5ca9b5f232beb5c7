/** Personal lists that live only in tables, and that few users have. */

/** The kinds of personal lists. */
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
