/** The emoji of Unicode as clients load them, so that they offer those that are taken here, by the same names. */

import { namesByCode } from '../../workers/pool/emoji/emoji-table.ts'

/** Where it is served. */
export const EMOJI_DATA_PATH = '/static/emoji/names.json'

/** The body of the file that clients load. */
export function describeEmoji() {
  return { code_to_names: Object.fromEntries(namesByCode()) }
}
