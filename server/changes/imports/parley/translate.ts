/** Names in texts of this dialect: ids and names of another server become those of this one. */

import { replaceOutsideCode } from '../code-parts.ts'

/** Finds what a text names here; undefined leaves it as it is. */
interface NamesHere {
  /** `@**name|id**` of a user. */
  mention(name: string, id: string | undefined): string | undefined
  /** `#**name**` of a channel. */
  channel(name: string): string | undefined
  /** The path of a file. */
  file(path: string): string | undefined
}

const MENTION = /@(_?)\*\*([^*|\n]+)(?:\|(\d{1,9}))?\*\*/g
const CHANNEL = /#\*\*([^*>\n]+)((?:>[^*\n]*)?)\*\*/g
const FILE = /\/user_uploads\/([\w-]+\/[\w-]+\/[\w-]+\/[^\s()<>"']+)/g

/** The text with the names of this server. Code stays, except that addresses of files change everywhere. */
export function translateParley(text: string, names: NamesHere): string {
  const withFiles = text.replaceAll(FILE, (whole, path: string) => {
    const here = names.file(decode(path))
    return here === undefined ? whole : `/user_uploads/${encodeURI(here)}`
  })
  return replaceOutsideCode(withFiles, { code: (part) => part, text: (part) => translateNames(part, names) })
}

function translateNames(text: string, names: NamesHere): string {
  return text
    .replaceAll(MENTION, (whole, silent: string, name: string, id: string | undefined) => {
      const here = names.mention(name, id)
      return here === undefined ? whole : here.replace(/^@_?/, `@${silent}`)
    })
    .replaceAll(CHANNEL, (whole, name: string, topic: string) => {
      const here = names.channel(name)
      return here === undefined ? whole : `${here.slice(0, -2)}${topic}**`
    })
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // It names no file.
  }
}
