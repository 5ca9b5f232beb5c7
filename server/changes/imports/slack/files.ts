/** Files, pictures and custom emoji of Slack: in the archive if a program put them there, else at an address. */

import { type Fields, firstText, plainAddress, toFields, toList, toText } from '../fields.ts'
import type { ForeignBytes, ForeignEmoji, ForeignFile } from '../records.ts'

/** Programs write a file as `__uploads/ID/NAME`, or beside the days of its channel. */
const UPLOAD = /(?:^|\/)(?:__uploads\/([A-Z0-9]+)\/|attachments\/([A-Z0-9]+)-)[^/]+$/
const EMOJI = /^emojis?\/([^/]+)\.(?:png|gif|jpe?g|webp)$/i
/** Files without bytes: deleted, or beyond what the workspace paid for. */
const GONE = new Set(['tombstone', 'hidden_by_limit'])
const GONE_ACCESS = new Set(['access_denied', 'file_not_found'])
const ALIAS = 'alias:'

/** The id of a file that an entry holds. */
export function fileOfEntry(name: string): string | undefined {
  const [, upload, attachment] = UPLOAD.exec(name) ?? []
  return upload ?? attachment
}

/** The files of a message; older exports have one as `file`. */
export function readFiles(fields: Fields, entryOfFile: ReadonlyMap<string, string>): ForeignFile[] {
  return filesIn(fields).map((one) => {
    const file = toFields(one)
    const name = firstText(file['name'], file['title'], file['id'], 'file')
    const path = entryOfFile.get(toText(file['id']))
    if (GONE.has(toText(file['mode'])) || GONE_ACCESS.has(toText(file['file_access'])))
      return { name, url: undefined, path }
    const url = plainAddress(firstText(file['permalink'], file['url_private'], file['url_private_download']))
    const isSlack = file['is_external'] !== true && file['mode'] !== 'external'
    const address = firstText(file['url_private_download'], file['url_private'])
    return { name, url, path, address: isSlack && plainAddress(address) !== undefined ? address : undefined }
  })
}

/** The ids of the files of a message. */
export function fileIdsIn(fields: Fields): string[] {
  return filesIn(fields).map((one) => toText(toFields(one)['id']))
}

function filesIn(fields: Fields): readonly unknown[] {
  const files = toList(fields['files'])
  return files.length > 0 ? files : 'file' in fields ? [fields['file']] : []
}

/** The picture that a person chose; the others are drawn by Slack. */
export function readAvatar(profile: Fields): ForeignBytes | undefined {
  const isOwn = profile['is_custom_image'] === true || toText(profile['image_original']) !== ''
  if (!isOwn) return undefined
  const sizes = ['512', '192', '72'].map((size) => profile[`image_${size}`])
  const address = firstText(...sizes, profile['image_original'])
  return plainAddress(address) === undefined ? undefined : { address }
}

/** The emoji that a picture of the archive is of, by its name; undefined for other files. */
export function emojiOfEntry(path: string): ForeignEmoji | undefined {
  const name = EMOJI.exec(path)?.[1]
  return name === undefined ? undefined : { name, author: '', picture: { path } }
}

/** Emoji of a list as `emoji.list` answers it. */
export function readEmoji(
  list: Fields,
  { found, lose }: { readonly found: Map<string, ForeignEmoji>; readonly lose: (name: string) => void },
): void {
  const listed = Object.entries(toFields(list['emoji'] ?? list))
  for (const [name, address] of listed) {
    if (found.has(name)) continue
    if (plainAddress(address) !== undefined)
      found.set(name, { name, author: '', picture: { address: toText(address) } })
    else if (toText(address).startsWith(ALIAS)) lose(name)
  }
}
