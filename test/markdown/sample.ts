/** A small organization for the names in test texts, and the function that renders them. */

import type { ChannelId, GroupId, MessageId, UploadId, UserId } from '../../server/domain/ids.ts'
import { renderMarkdown } from '../../workers/pool/markdown/render-markdown.ts'
import {
  type SnapshotUpload,
  type MentionSnapshot,
  EMPTY_SNAPSHOT,
} from '../../workers/pool/markdown/snapshot.ts'

const NO_ID = 0 as UploadId

const image = (path: string, more: object = {}): SnapshotUpload => ({
  id: NO_ID,
  path,
  contentType: 'image/png',
  image: {
    width: 128,
    height: 64,
    isThumbnailed: true,
    isAnimated: false,
    transcodedName: null,
    ...more,
  },
})

export const SAMPLE: MentionSnapshot = {
  ...EMPTY_SNAPSHOT,
  users: [
    { id: 31 as UserId, name: 'Ada Lovelace' },
    { id: 32 as UserId, name: 'Zoë <b>' },
    { id: 33 as UserId, name: 'Sam' },
    { id: 34 as UserId, name: 'Sam' },
    { id: 35 as UserId, name: 'all' },
    { id: 36 as UserId, name: 'Bar | 12' },
  ],
  groups: [
    { id: 17 as GroupId, name: 'support', standing: 'mentionable' },
    { id: 18 as GroupId, name: 'board', standing: 'forbidden' },
    { id: 19 as GroupId, name: 'gone', standing: 'deactivated' },
    { id: 5 as GroupId, name: 'role:administrators', displayName: 'Administrators', standing: 'forbidden' },
  ],
  channels: [
    { id: 9 as ChannelId, name: 'announce' },
    { id: 10 as ChannelId, name: 'R & D' },
    { id: 11 as ChannelId, name: 'up > down' },
    { id: 12 as ChannelId, name: 'announce>here' },
    { id: 13 as ChannelId, name: 'a>b>c>d>e' },
    { id: 14 as ChannelId, name: 'a>b>c>d>e>f' },
  ],
  topics: [
    { channelId: 9 as ChannelId, topic: 'Release 1.0', newestMessageId: 214 as MessageId },
    { channelId: 9 as ChannelId, topic: '', newestMessageId: 215 as MessageId },
  ],
  emoji: [
    { name: 'party_cat', sourceUrl: '/user_avatars/2/emoji/1.png' },
    { name: 'tada', sourceUrl: '/user_avatars/2/emoji/2.png' },
  ],
  uploads: [
    image('/user_uploads/1/ab/cat.png'),
    image('/user_uploads/1/ab/new.png', { isThumbnailed: false }),
    image('/user_uploads/1/ab/unseen.png', { isThumbnailed: false, width: null, height: null }),
    image('/user_uploads/1/ab/moving.gif', { isAnimated: true }),
    image('/user_uploads/1/ab/phone.heic', { transcodedName: '128x64.webp' }),
    { id: NO_ID, path: '/user_uploads/1/ab/film.mp4', contentType: 'video/mp4', image: null },
    { id: NO_ID, path: '/user_uploads/1/ab/song.mp3', contentType: 'audio/mpeg', image: null },
    { id: NO_ID, path: '/user_uploads/1/ab/plan.pdf', contentType: 'application/pdf', image: null },
  ],
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://issues.example.com/{id}' },
    {
      pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
      urlTemplate: 'https://git.example.com/{org}/{repo}/{id}',
    },
    { pattern: 'TKT-(?P<id>[0-9]+)', urlTemplate: 'https://tickets.example.com/?q={id}' },
    { pattern: 'TKT-(?P<rest>[0-9]+x?)', urlTemplate: 'https://second.example.com/{rest}' },
    { pattern: 'run (?P<what>.+) now', urlTemplate: 'javascript:{+what}' },
    { pattern: '((', urlTemplate: 'https://wrong.example.com' },
  ],
  realmUrl: 'https://chat.example.com',
}

/** The HTML of a text in the sample organization. */
export function html(text: string, changes: Partial<MentionSnapshot> = {}): string {
  return renderMarkdown(text, { ...SAMPLE, ...changes }).html
}

interface Asserts {
  equal(found: unknown, wanted: unknown, ...message: [string]): unknown
}

/** Compares each text with its HTML. */
export function checkCases(
  t: Asserts,
  cases: Readonly<Record<string, string>>,
  changes: Partial<MentionSnapshot> = {},
): void {
  for (const [text, wanted] of Object.entries(cases)) t.equal(html(text, changes), wanted, text)
}

/** A paragraph. */
export const p = (inner: string) => `<p>${inner}</p>`

/** A standard emoji. */
export const emoji = (name: string, code: string) => {
  const words = name.replaceAll('_', ' ')
  return `<span aria-label="${words}" class="emoji emoji-${code}" role="img" title="${words}">:${name}:</span>`
}
