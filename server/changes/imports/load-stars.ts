/** Brings the stars of people over. */

import {
  findImported,
  findImportedMessages,
  importKey,
  type ImportKey,
} from '../../../db/imports/imported-ids.ts'
import { answering } from '../../decisions/decision.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import type { Place } from '../../domain/messages/places.ts'
import type { Loading } from './loading.ts'
import type { StarredMessage } from './load-messages.ts'

/** Messages whose stars are looked up together. */
const BATCH = 500

/** A star that no earlier run has set. */
interface Star {
  readonly key: ImportKey
  readonly userId: UserId
  readonly messageId: MessageId
  readonly place: Place
}

/** Stars messages for the people who starred them. */
export async function loadStars(loading: Loading, starred: readonly StarredMessage[]): Promise<void> {
  for (let start = 0; start < starred.length; start += BATCH) {
    const stars = await findStars(loading, starred.slice(start, start + BATCH))
    for (const [userId, own] of Map.groupBy(stars, (star) => star.userId)) {
      const places = Map.groupBy(own, ({ place }) => place)
      const messages = [...places].map(([place, list]) => ({
        place,
        messageIds: list.map(({ messageId }) => messageId).sort((one, other) => one - other),
      }))
      await loading.target.change(
        () =>
          answering(undefined, [
            { type: 'update_message_flags', userId, op: 'add', flag: 'starred', messages },
          ]),
        () => own.map(({ key }) => [key, 0] as const),
      )
      loading.report.users.stars += own.length
    }
  }
}

/** Only for readers of the message here, and only stars that no earlier run has set. */
async function findStars(
  { target, source, people }: Loading,
  starred: readonly StarredMessage[],
): Promise<readonly Star[]> {
  const messages = await findImportedMessages(
    target.sql,
    starred.map(({ key }) => key),
  )
  const wanted = starred.flatMap(({ key: messageKey, place: there, users }): Star[] => {
    const message = messages.get(messageKey)
    if (!message) return []
    return [...new Set(users)].flatMap((user) => {
      const userId = people.find(user)
      if (userId === undefined) return []
      const isReader =
        there.kind === 'direct'
          ? there.members.includes(user)
          : target.state.getChannel(there.channelId).subscribers.has(userId)
      const key = importKey(source.origin, 'star', messageKey, user)
      return isReader ? [{ key, userId, messageId: message.id, place: message.place }] : []
    })
  })
  const done = await findImported(
    target.sql,
    wanted.map(({ key }) => key),
  )
  return wanted.filter(({ key }) => !done.has(key))
}
