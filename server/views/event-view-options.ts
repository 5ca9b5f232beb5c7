/** The forms of events that clients choose. */

/** The form of events that a client chose when it registered. */
export interface EventViewOptions {
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly includeSubscribers: boolean | 'partial'
  readonly allowsNullSettings: boolean
  readonly allowEmptyTopic: boolean
  /** A second name for a playground's language; omitted if there is none. */
  readonly languageAlias?: string | undefined
  /** Whether reactions also have their user's name and address. */
  readonly namesReactors?: boolean
  /** Whether the client reads reaction types by their original spelling. */
  readonly readsOriginalTypes?: boolean
  /** The aliases that the client used for event types, and gets in events; few events have one, each for one user. */
  readonly typeAliases?: Readonly<Record<string, string>> | undefined
  /** Whether the client handles incomplete lists of users; other clients get unknown users as placeholders. */
  readonly hasIncompleteUsers: boolean
  /** Whether the client gets changes of single custom emoji; other clients get the whole list. */
  readonly hasEmojiChanges: boolean
}

/** The number of bits in a variant; other parts of the encoding's key are shifted by it. */
export const VARIANT_BITS = 11
/** The form of an event with a reaction type that has an original spelling; others have one form for both. */
export const ORIGINAL_TYPES_VARIANT = 1024

/** Numbers the forms that `encodeEvent` distinguishes: equal numbers mean equal bytes. */
export function variantOf(options: EventViewOptions): number {
  return (
    (options.applyMarkdown ? 1 : 0) |
    (options.clientGravatar ? 2 : 0) |
    (options.includeSubscribers ? 4 : 0) |
    (options.includeSubscribers === 'partial' ? 64 : 0) |
    (options.allowsNullSettings ? 8 : 0) |
    (options.allowEmptyTopic ? 16 : 0) |
    (options.languageAlias === undefined ? 0 : 128) |
    (options.hasIncompleteUsers ? 32 : 0) |
    (options.hasEmojiChanges ? 256 : 0) |
    (options.namesReactors === true ? 512 : 0)
  )
}
