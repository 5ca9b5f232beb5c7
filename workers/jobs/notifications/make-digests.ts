/** Makes the weekly digests of an organization, on its day, for users who were away. */

import { findAway, forEachSentSince, queueDigests } from '../../../db/mail/digests.ts'
import {
  mayListChannel,
  mayListTopic,
  wantsDigest,
} from '../../../server/changes/notifications/digest-rights.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import { DAY_SECONDS, dayOf } from '../../../server/domain/messages/weekly-traffic.ts'
import { type DigestTopic, hottestTopics } from '../../../server/domain/personal/digests.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { addEachPeriod, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'

/** Days without a visit after which a user gets a digest. */
const AWAY_DAYS = 5
/** Days that a digest covers. */
const COVERED_DAYS = 7
const NEW_CHANNELS_MAX = 10
/** Milliseconds between looks; on the day of digests, each finds users who have none yet. */
const PERIOD_MS = 3_600_000

interface DigestWork {
  readonly clock: Clock
  readonly openSender: OpenSender
}

/** Starts to look for the day of digests. */
export async function startDigests(context: JobContext, work: DigestWork): Promise<void> {
  const queue = openJobQueue(context, 'digests')
  queue.work(() => makeDigests(work))
  await addEachPeriod(queue, context, work.clock, { name: 'make-digests', periodMs: PERIOD_MS })
}

/** Queues the digests that are due; returns how many. Concurrent and repeated runs queue each once. */
export async function makeDigests({ clock, openSender }: DigestWork): Promise<number> {
  const sender = await openSender()
  await sender.catchUp()
  const { state, sql } = sender.services
  const now = nowSeconds(clock)
  const weekday = (new Date(now * 1000).getUTCDay() + 6) % 7 // From Monday, as in the setting.
  if (weekday !== state.settings.digestWeekday) return 0
  const wanting = [...state.users.values()].filter((user) => wantsDigest(state, user)).map(({ id }) => id)
  const away = wanting.length === 0 ? [] : await findAway(sql, wanting, dayOf(now) - AWAY_DAYS)
  if (away.length === 0) return 0
  const since = now - COVERED_DAYS * DAY_SECONDS
  const topics = await readTopics(sql, since)
  const channelIds = [...state.channels.values()]
    .filter(({ channel }) => channel.createdAt >= since)
    .map(({ channel }) => channel.id)
  const digests = away.flatMap((userId) => {
    const user = state.getUser(userId)
    const details = {
      topics: hottestTopics(topics.filter((topic) => mayListTopic(state, user, topic))),
      newChannelIds: channelIds.filter((id) => mayListChannel(state, user, id)).slice(0, NEW_CHANNELS_MAX),
    }
    return details.topics.length + details.newChannelIds.length === 0 ? [] : [{ userId, details }]
  })
  return digests.length === 0 ? 0 : queueDigests(sql, digests)
}

/** The topics with messages since then, under their newest names. */
async function readTopics(
  sql: Parameters<typeof forEachSentSince>[0],
  since: number,
): Promise<readonly DigestTopic[]> {
  const found = new Map<
    string,
    Omit<DigestTopic, 'messages' | 'people'> & { messages: number; senders: Set<UserId> }
  >()
  await forEachSentSince(sql, since, ({ channelId, topic, senderId }) => {
    const key = `${channelId} ${topicKey(topic)}`
    const one = found.get(key) ?? { channelId, topic, messages: 0, senders: new Set<UserId>() }
    one.messages++
    one.senders.add(senderId)
    found.set(key, one)
  })
  return [...found.values()].map(({ senders, ...topic }) => ({ ...topic, people: senders.size }))
}
