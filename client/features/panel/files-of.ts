/** The uploaded files that messages link to. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { ownPicture } from '../../ui/own-picture.ts'
import { toDocument } from '../../ui/server-html.tsx'

export interface SharedFile {
  readonly href: string
  readonly name: string
  /** The address of a small form, for pictures. */
  readonly thumbnail: string | undefined
  readonly sender: string
  /** Seconds. */
  readonly sentAt: number
}

const UPLOADS = '/user_uploads/'

/** Each file once, the newest first. */
export function filesOf(messages: readonly Message[]): readonly SharedFile[] {
  const files = new Map<string, SharedFile>()
  for (const message of messages.toReversed()) {
    for (const link of toDocument(message.content).querySelectorAll('a')) {
      const href = link.getAttribute('href') ?? ''
      const path = URL.canParse(href, location.href) ? new URL(href, location.href).pathname : ''
      if (!path.startsWith(UPLOADS)) continue
      const source = link.querySelector('img')?.getAttribute('src') ?? ''
      const former = files.get(path)
      files.set(path, {
        href,
        name: former?.name ?? nameOf(link.textContent ?? '', path),
        thumbnail: ownPicture(source) ?? former?.thumbnail,
        sender: message.sender_full_name,
        sentAt: message.timestamp,
      })
    }
  }
  return [...files.values()]
}

function nameOf(text: string, path: string): string {
  if (text.trim() !== '') return text.trim()
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
