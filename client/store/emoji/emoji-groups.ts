/** The emoji of Unicode in the groups of pickers, from the list of the server. */

import type { Emoji } from './emoji.ts'
import { t } from '../../texts/texts.ts'

/** Emoji under one heading. */
export interface EmojiGroup {
  readonly name: string
  readonly emoji: readonly Emoji[]
}

/** The list is in the order of pickers; each group begins with its first code. */
const GROUPS: readonly (readonly [first: string, name: string])[] = [
  ['1f600', t('Smileys')],
  ['1f44b', t('People')],
  ['1f435', t('Nature')],
  ['1f347', t('Food')],
  ['1f30d', t('Places')],
  ['1f383', t('Activities')],
  ['1f453', t('Objects')],
  ['1f3e7', t('Symbols')],
  ['1f3c1', t('Flags')],
]

/**
 * JSON puts keys of digits only before all others, so codes such as `2764` have lost their places. Most are symbols;
 * these belong to other groups, by the first code of those. All go to the end of their groups.
 */
const DIGITS_ONLY: Readonly<Record<string, readonly string[]>> = {
  '1f600': ['2639', '2620', '2763', '2764'],
  '1f435': ['2618'],
  '1f347': ['2615'],
  '1f30d': ['2668', '2693', '2708', '2600', '2601', '2602', '2614', '2744', '2603', '2604'],
  '1f383': ['2728', '2660', '2665', '2666', '2663'],
  '1f453': ['2328', '2709', '2712', '2702', '2692', '2694', '2699', '2696', '2697'],
}
/** Symbols. */
const OTHERS = '1f3e7'

/** The groups of the server's names by code. */
export function groupEmoji(codeToNames: Readonly<Record<string, readonly string[]>>): readonly EmojiGroup[] {
  const moved = new Map(
    Object.entries(DIGITS_ONLY).flatMap(([name, codes]) => codes.map((code) => [code, name] as const)),
  )
  const byGroup = new Map<string, Emoji[]>(GROUPS.map(([first]) => [first, []]))
  const late: (readonly [group: string, emoji: Emoji])[] = []
  let current = OTHERS
  for (const [code, [name, ...others]] of Object.entries(codeToNames)) {
    if (name === undefined) continue
    if (byGroup.has(code)) current = code
    const emoji: Emoji = { names: [name, ...others], code, type: 'unicode_emoji', picture: undefined }
    if (/^[0-9]+$/.test(code)) late.push([moved.get(code) ?? OTHERS, emoji])
    else byGroup.get(current)?.push(emoji)
  }
  for (const [group, emoji] of late) byGroup.get(group)?.push(emoji)
  return GROUPS.map(([first, name]) => ({ name, emoji: byGroup.get(first) ?? [] }))
}
