/** Emoji for a person who has not used any yet. */

/** Names, as many as the picker shows on top. */
export const POPULAR = ['+1', 'heart', 'tada', 'joy', 'eyes', 'check'] as const
