/** The emoji of Unicode for clients, so that they offer the emoji that the server accepts, by the same names. */

import { namesByCode } from '../../workers/pool/emoji/emoji-table.ts'

/** The path of the file. */
export const EMOJI_DATA_PATH = '/static/emoji/names.json'

/** The body of the file. */
export function describeEmoji() {
  return { code_to_names: Object.fromEntries(namesByCode()) }
}
