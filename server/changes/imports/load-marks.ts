/** Brings the stars of people over, and what they collapsed. */

import {
  findImported,
  findImportedMessages,
  importKey,
  type ImportKey,
} from '../../../db/imports/imported-ids.ts'
import { answering } from '../../decisions/decision.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import type { Place } from '../../domain/messages/places.ts'
import type { ImportPlace, Loading } from './loading.ts'

/** A message that users starred or collapsed: its key, its place, and these users. */
export interface MarkedMessage {
  readonly key: ImportKey
  readonly place: ImportPlace
  readonly flag: 'starred' | 'collapsed'
  readonly users: readonly string[]
}

/** Messages whose marks are looked up together. */
const BATCH = 500
/** In the keys of imports. */
const KEY_NAMES = { starred: 'star', collapsed: 'collapsed' } as const

/** A mark that no earlier run has set. */
interface Mark extends Pick<MarkedMessage, 'flag'> {
  readonly key: ImportKey
  readonly userId: UserId
  readonly messageId: MessageId
  readonly place: Place
}

/** Marks messages for the people who marked them. */
export async function loadMarks(loading: Loading, marked: readonly MarkedMessage[]): Promise<void> {
  for (let start = 0; start < marked.length; start += BATCH) {
    const marks = await findMarks(loading, marked.slice(start, start + BATCH))
    for (const own of Map.groupBy(marks, ({ userId, flag }) => `${userId} ${flag}`).values()) {
      const [{ userId, flag }] = own as [Mark, ...Mark[]]
      const places = Map.groupBy(own, ({ place }) => place)
      const messages = [...places].map(([place, list]) => ({
        place,
        messageIds: list.map(({ messageId }) => messageId).sort((one, other) => one - other),
      }))
      await loading.target.change(
        () => answering(undefined, [{ type: 'update_message_flags', userId, op: 'add', flag, messages }]),
        () => own.map(({ key }) => [key, 0] as const),
      )
      if (flag === 'starred') loading.report.users.stars += own.length
    }
  }
}

/** Only for readers of the message here, and only marks that no earlier run has set. */
async function findMarks(
  { target, source, people, report }: Loading,
  marked: readonly MarkedMessage[],
): Promise<readonly Mark[]> {
  const messages = await findImportedMessages(
    target.sql,
    marked.map(({ key }) => key),
  )
  const wanted = marked.flatMap(({ key: messageKey, place: there, flag, users }): Mark[] => {
    const message = messages.get(messageKey)
    if (!message) return []
    return [...new Set(users)].flatMap((user) => {
      const userId = people.find(user)
      if (userId === undefined) return []
      const isReader =
        there.kind === 'direct'
          ? there.members.includes(user)
          : target.state.findReadableChannel(target.state.getUser(userId), there.channelId) !== undefined
      const key = importKey(source.origin, KEY_NAMES[flag], messageKey, user)
      if (isReader) return [{ key, flag, userId, messageId: message.id, place: message.place }]
      report.lose({
        place: there.label,
        reason: 'a mark of somebody who may not read it here',
        example: user,
      })
      return []
    })
  })
  const done = await findImported(
    target.sql,
    wanted.map(({ key }) => key),
  )
  return wanted.filter(({ key }) => !done.has(key))
}
