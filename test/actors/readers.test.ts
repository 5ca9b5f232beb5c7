/** The messages of readers: bounded in bytes, whatever the log brings. */

import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { READERS_BYTES_MAX, Readers } from '../../server/actors/readers.ts'
import type { LogEntry } from '../../server/domain/events.ts'
import type { MessagesOfPlace } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { SettableFlag } from '../../server/domain/messages/message-flags.ts'
import { placeOfChannel } from '../../server/domain/messages/places.ts'
import { createDatabase } from '../harness/databases/create-database.ts'

/** Together more than the bound. */
const READERS = 150
const FLAGGED = 20_000

await t.test('readers', async (t) => {
  const sql = connect(await createDatabase(t, 'people'), 2, 'parley-test')
  t.teardown(() => sql.end())
  const readers = new Readers({ sql, reached: () => Promise.resolve() })
  const users = Array.from({ length: READERS }, (_, index) => (1_000 + index) as UserId)
  let lastId = 100_000
  const push = (userId: UserId, flag: SettableFlag, messageIds: readonly MessageId[]) => {
    const messages: MessagesOfPlace[] = [{ place: placeOfChannel(1 as ChannelId), messageIds }]
    const event: LogEntry['event'] = {
      type: 'update_message_flags',
      userId,
      op: 'add',
      flag,
      messages,
    }
    readers.push({ id: ++lastId as EventId, event, audience: { kind: 'nobody' } })
  }
  const ids = Array.from({ length: FLAGGED }, (_, index) => (index + 1) as MessageId)

  await t.test(
    '[READER1] entries that arrive for many readers stay within their bound of bytes',
    async (t) => {
      await Promise.all(users.map(async (userId) => readers.get(userId)))
      let highest = 0
      for (const userId of users) {
        push(userId, 'starred', ids)
        highest = Math.max(highest, readers.bytes)
      }
      t.ok(highest <= READERS_BYTES_MAX, `${highest} bytes`)
      t.ok(highest > READERS_BYTES_MAX / 2, 'the room is used')
      const [first, last] = [users[0] as UserId, users.at(-1) as UserId]
      t.type(readers.get(first), Promise, 'the least recently read is loaded again')
      t.notOk(readers.get(last) instanceof Promise, 'the last one is cached')
      await readers.get(first)
    },
  )

  await t.test(
    '[READER2] a place whose exceptions grow is loaded again, since the database stores fewer',
    async (t) => {
      const userId = 2 as UserId
      const before = await readers.get(userId)
      push(userId, 'read', ids.slice(0, 1_000))
      t.equal(readers.get(userId), before, 'some are held')
      push(userId, 'read', ids.slice(1_000, 1_100))
      t.not(await readers.get(userId), before)
    },
  )

  await t.test('[READER3] entries that arrive while a reader loads wait in a bounded list', async (t) => {
    const userId = 3 as UserId
    const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = sql.begin(async (tx) => {
      await tx`lock table read_marks in access exclusive mode`
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const reading = readers.get(userId)
    for (let count = 0; count < 3_000; count++) push(userId, 'starred', [(count + 1) as MessageId])
    release.resolve()
    await holding
    const reader = await reading
    // Instead it was loaded again; the database of this test has none of the new messages.
    t.ok(reader.bytes < 1_000, `${reader.bytes} bytes`)
  })
})
