/** The forms in which clients want events. */

/** What a client said at its registration of the form in which it wants events. */
export interface EventViewOptions {
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly includeSubscribers: boolean | 'partial'
  readonly allowsNullSettings: boolean
  readonly allowEmptyTopic: boolean
  /** A second name under which a playground's language is told; none where left out. */
  readonly languageAlias?: string | undefined
  /** Whether reactions come with their user's name and address, too. */
  readonly namesReactors?: boolean
  /** By which other names it asked for types of events, and is told of them; of few events, each told to one user. */
  readonly typeAliases?: Readonly<Record<string, string>> | undefined
  /** Whether it knows that lists of users may not hold all; to others somebody unknown is an unknown user. */
  readonly hasIncompleteUsers: boolean
  /** Whether it is told what happens to one custom emoji; others of all there are. */
  readonly hasEmojiChanges: boolean
}

/** The bits of those numbers; what else tells encodings apart is shifted by so many. */
export const VARIANT_BITS = 10

/** Numbers the forms that `encodeEvent` tells apart: equal numbers, equal bytes. */
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
