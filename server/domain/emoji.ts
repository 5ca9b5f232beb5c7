/**
 * Emoji by name and by code. Whether a code is an emoji is Unicode's to say; of the names only the commonest are
 * known here, so that another name is taken where its code comes with it.
 */

/** Unicode code points in a name, with room to spare. */
export const EMOJI_NAME_LENGTH_MAX = 100
/** Characters in a code: families and flags take about fifty. */
export const EMOJI_CODE_LENGTH_MAX = 100

const CODES: ReadonlyMap<string, string> = new Map([
  ['+1', '1f44d'],
  ['thumbs_up', '1f44d'],
  ['-1', '1f44e'],
  ['thumbs_down', '1f44e'],
  ['100', '1f4af'],
  ['airplane', '2708'],
  ['alien', '1f47d'],
  ['angry', '1f620'],
  ['beer', '1f37a'],
  ['beers', '1f37b'],
  ['big_smile', '1f604'],
  ['books', '1f4da'],
  ['broken_heart', '1f494'],
  ['bug', '1f41b'],
  ['cake', '1f370'],
  ['calendar', '1f4c5'],
  ['cat', '1f408'],
  ['check', '2705'],
  ['clap', '1f44f'],
  ['coffee', '2615'],
  ['cross_mark', '274c'],
  ['cry', '1f622'],
  ['dog', '1f415'],
  ['exclamation', '2757'],
  ['eyes', '1f440'],
  ['fire', '1f525'],
  ['frown', '1f641'],
  ['ghost', '1f47b'],
  ['grinning', '1f600'],
  ['heart', '2764'],
  ['heart_eyes', '1f60d'],
  ['joy', '1f602'],
  ['memo', '1f4dd'],
  ['muscle', '1f4aa'],
  ['octopus', '1f419'],
  ['ok', '1f44c'],
  ['open_mouth', '1f62e'],
  ['pizza', '1f355'],
  ['poop', '1f4a9'],
  ['pray', '1f64f'],
  ['question', '2753'],
  ['rabbit', '1f407'],
  ['rainbow', '1f308'],
  ['robot', '1f916'],
  ['rocket', '1f680'],
  ['skull', '1f480'],
  ['smile', '1f642'],
  ['smiley', '1f603'],
  ['snowflake', '2744'],
  ['sob', '1f62d'],
  ['sparkles', '2728'],
  ['star', '2b50'],
  ['sunglasses', '1f60e'],
  ['tada', '1f389'],
  ['thinking', '1f914'],
  ['warning', '26a0'],
  ['wave', '1f44b'],
  ['wink', '1f609'],
])

/** The code of a name, where the name is known. */
export function findEmojiCode(name: string): string | undefined {
  return CODES.get(name)
}

/** Whether a code may go by a name: the known one by its own, and else by one of the form of names. */
export function isNameOfEmoji(name: string, code: string): boolean {
  return (CODES.get(name) ?? code) === code && /^[a-z0-9_+-]+$/.test(name)
}

/**
 * Whether a code is the code points of an emoji that Unicode recommends, in hex of at least four digits, joined by
 * dashes and without U+FE0F, which only asks for the colored form.
 */
export function isEmojiCode(code: string): boolean {
  const parts = code.split('-')
  // No emoji is beyond U+FFFFF.
  // Neither the selector, nor half of a surrogate pair.
  const isPart = (part: string) => /^[1-9a-f]?[0-9a-f]{4}$/.test(part) && !/^(fe0f|d[89a-f]..)$/.test(part)
  if (!parts.every(isPart)) return false
  const points = parts.map((part) => String.fromCodePoint(Number.parseInt(part, 16)))
  const isModifier = (point: string | undefined) => point !== undefined && /^\p{Emoji_Modifier}$/u.test(point)
  const isPlain = (point: string) => /^\p{Emoji}$/u.test(point) && !/^\p{Emoji_Presentation}$/u.test(point)
  const whole = points.map((point, index) =>
    isPlain(point) && !isModifier(points[index + 1]) ? `${point}\ufe0f` : point,
  )
  return /^\p{RGI_Emoji}$/v.test(whole.join(''))
}
