/** Emoji by name: those of Unicode that the server has names for, and those of the organization. */

import type { CustomEmoji } from '../../../packages/client/src/wire-types.ts'
import { derive } from '../derived/derive.ts'

/** An emoji; `code` and `type` are those of reactions. */
export interface Emoji {
  /** The display name first, then others. */
  readonly names: readonly [string, ...string[]]
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji'
  /** The address of its picture, for those of the organization. */
  readonly picture: string | undefined
}

/** The active emoji of the organization. */
export const customEmoji = derive(
  (state) => [state.realm_emoji],
  ([emoji = {}]): readonly Emoji[] =>
    Object.values(emoji as Readonly<Record<string, CustomEmoji>>)
      .filter(({ deactivated }) => !deactivated)
      .map(({ id, name, source_url: picture }) => ({
        names: [name],
        code: id,
        type: 'realm_emoji',
        picture,
      })),
)

/** The characters of a code such as `1f1e9-1f1ea`: symbols that are also text get the selector of their colored form. */
export function charactersOf(code: string): string {
  const points = code.split('-').map((part) => String.fromCodePoint(Number.parseInt(part, 16)))
  const isModifier = (point: string | undefined) => point !== undefined && /^\p{Emoji_Modifier}$/u.test(point)
  const isText = (point: string) => /^\p{Emoji}$/u.test(point) && !/^\p{Emoji_Presentation}$/u.test(point)
  return points
    .map((point, index) => (isText(point) && !isModifier(points[index + 1]) ? `${point}\ufe0f` : point))
    .join('')
}

/** Emoji without those of Unicode whose names the organization uses for its own. */
export function joinEmoji(custom: readonly Emoji[], unicode: readonly Emoji[]): readonly Emoji[] {
  const taken = new Set(custom.map(({ names }) => names[0]))
  return [...custom, ...unicode.filter(({ names }) => !taken.has(names[0]))]
}
