/** Finds a client's missed events: in the timeline, or in the log if the client is further behind. */

import type { Sql } from '../../db/connection/connect.ts'
import { readLog, readNameAtLeaving } from '../../db/log/event-log.ts'
import { isInSpan, loadMutings, type MutingSpan } from '../../db/personal/mutings.ts'
import { loadSpans, loadSubscribersAt, type SubscriptionSpan } from '../../db/organization/subscriptions.ts'
import type { LogEntry } from '../domain/events.ts'
import type { ChannelId, EventId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { ReplyEvents } from './reply-events.ts'
import { heartbeat, type Session } from './session.ts'
import { placeInTime, revealedChannelIds, type Timeline, type TimelineEntry } from './timeline.ts'

/** Log entries per page. */
const PAGE_LENGTH = 500
/** Pages per reply: after that, a heartbeat gives the client the progress of the search. */
const PAGES_MAX = 100

/** A client's missed events, encoded; it has seen everything up to `scannedId`. */
export interface Missed {
  readonly events: readonly string[]
  /** The id of the last event, or undefined without events. */
  readonly lastId: EventId | undefined
  readonly scannedId: EventId
}

/** The dependencies of the replay. */
export interface ReplayContext {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly timeline: Timeline
  nowSeconds(): number
}

/** The timeline's entries for a session after an id; undefined if the timeline starts later. */
export function collectRecent(
  context: ReplayContext,
  session: Session,
  afterId: EventId,
): Missed | undefined {
  if (afterId < context.timeline.startId) return undefined
  return collectInto(new ReplyEvents(), context, session, afterId)
}

/**
 * A session's missed events after an id, however old; rights are as of each event's time. Undefined if the log no
 * longer reaches back so far. Stops when `isWanted` returns false: then the result does not matter.
 */
export async function collectMissed(
  context: ReplayContext,
  session: Session,
  afterId: EventId,
  isWanted: () => boolean,
): Promise<Missed | undefined> {
  const { sql, state, timeline } = context
  const reply = new ReplyEvents()
  const nameAtEvent = createNames(context, session.userId)
  let scannedId = afterId
  for (let pages = 0; scannedId < timeline.startId && isWanted(); pages++) {
    if (pages === PAGES_MAX && reply.isEmpty) reply.add(scannedId, heartbeat(scannedId))
    if (pages === PAGES_MAX) return reply.asMissed(scannedId)
    const page = await readLog(sql, scannedId, PAGE_LENGTH)
    if (page[0]?.id !== scannedId + 1) return undefined
    // After the page, so that no entry of it is newer than the loaded subscriptions.
    const spanAt = await loadPastSubscriptions(sql, session.userId, scannedId)
    const mutings = await loadMutings(sql, session.userId, scannedId)
    for (const entry of page) {
      if (entry.id > timeline.startId) break // Perhaps newer than the state; the timeline has it.
      scannedId = entry.id
      const placed = await placeInPast(entry, { state, userId: session.userId, spanAt, nameAtEvent })
      const past = { ...placed, mutersAtEvent: mutersAtEvent(entry, session.userId, mutings) }
      if (!session.wants(past, state)) continue
      const whole = await withSubscribersAtEvent(sql, past)
      reply.add(entry.id, session.encode(whole, state, context.nowSeconds()))
      if (reply.isFull) return reply.asMissed(scannedId)
    }
  }
  if (scannedId < timeline.startId) return reply.asMissed(scannedId)
  return collectInto(reply, context, session, scannedId)
}

function collectInto(reply: ReplyEvents, context: ReplayContext, session: Session, afterId: EventId): Missed {
  const { state, timeline } = context
  for (const entry of timeline.after(afterId)) {
    if (!session.wants(entry, state)) continue
    reply.add(entry.id, session.encode(entry, state, context.nowSeconds()))
    if (reply.isFull) return reply.asMissed(entry.id)
  }
  return reply.asMissed(timeline.lastId)
}

type SpanAt = (channelId: ChannelId, at: EventId) => SubscriptionSpan | undefined

async function loadPastSubscriptions(sql: Sql, userId: UserId, afterId: EventId): Promise<SpanAt> {
  const spans = Map.groupBy(await loadSpans(sql, userId, afterId), ({ channelId }) => channelId)
  return (channelId, at) =>
    spans.get(channelId)?.find(({ fromId, untilId }) => fromId < at && (untilId === null || at <= untilId))
}

/** The user as the only muter of a message's sender, if muted then; as in the timeline. */
function mutersAtEvent({ id, event }: LogEntry, userId: UserId, mutings: readonly MutingSpan[]) {
  if (event.type !== 'message' || mutings.length === 0) return undefined
  const spans = mutings.filter(({ mutedId }) => mutedId === event.senderId)
  return isInSpan(spans, id) ? UserSet.of([userId]) : undefined
}

type ChannelNameAtEvent = (span: SubscriptionSpan) => Promise<string>

/** A channel's name for a former subscriber: the current one if they can see it, else the one when they left. */
function createNames({ sql, state }: ReplayContext, userId: UserId): ChannelNameAtEvent {
  const namesAtLeaving = new Map<string, string>()
  return async ({ channelId, untilId }) => {
    const visible = state.findVisibleChannel(state.getUser(userId), channelId)
    if (visible || untilId === null) return state.getChannel(channelId).channel.name
    const key = `${channelId}/${untilId}`
    const name = namesAtLeaving.get(key) ?? (await readNameAtLeaving(sql, untilId, channelId)) ?? ''
    namesAtLeaving.set(key, name)
    return name
  }
}

/** The past state for one user. */
interface Past {
  readonly state: OrganizationState
  readonly userId: UserId
  readonly spanAt: SpanAt
  readonly nameAtEvent: ChannelNameAtEvent
}

/** An old entry with its audience, limited to one user. */
async function placeInPast(
  entry: LogEntry,
  { state, userId, spanAt, nameAtEvent }: Past,
): Promise<TimelineEntry> {
  const now = placeInTime(entry, state)
  if (entry.audience.kind !== 'subscribers') return now
  const span = spanAt(entry.audience.channelId, entry.id)
  if (!span) return { ...now, recipients: UserSet.empty }
  return { ...now, recipients: UserSet.of([userId]), channelNameAtEvent: await nameAtEvent(span) }
}

/** An old entry with the subscribers of that time, as in the timeline. */
async function withSubscribersAtEvent(sql: Sql, entry: TimelineEntry): Promise<TimelineEntry> {
  const ids = revealedChannelIds(entry.event)
  if (!ids) return entry
  const then = await loadSubscribersAt(sql, ids, entry.id)
  const found = new Map(then.map(({ channelId, userIds }) => [channelId, UserSet.of(userIds)]))
  return { ...entry, subscribersAtEvent: new Map(ids.map((id) => [id, found.get(id) ?? UserSet.empty])) }
}
