/** Reads, suggests and runs searches; loaded when the field is first used. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { App } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { unreadOf } from '../../store/derived/unread.ts'
import { type Narrow, splitNear } from '../../store/narrows/narrow.ts'
import type { Route } from '../../store/narrows/route.ts'
import { readSearch } from '../../store/search/read-search.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { type SeenTopic, suggestSearch, type Suggestion } from '../../store/search/suggest-search.ts'
import { openDay } from '../conversation/open-day.ts'
import { dayText } from '../../ui/times.ts'
import { isSearch } from '../../store/narrows/is-search.ts'

export interface SearchEngine {
  /** The text of a view that shows results; otherwise it is empty. */
  textOf(state: State, route: Route): string
  suggest(app: App, text: string): readonly Suggestion[]
  run(app: App, text: string): Promise<void>
}

/** Searches that this device offers again. */
const RECENT_MAX = 8

/** Topics of channels, loaded once for each page of the client. */
class ChannelTopics {
  readonly byChannel = new Map<number, readonly SeenTopic[]>()
}

export const searchEngine: SearchEngine = {
  textOf(state, route) {
    if (route.view !== 'narrow' || !isSearch(route.narrow)) return ''
    return writeSearch(state, splitNear(route.narrow).narrow)
  },
  suggest(app, text) {
    const state = app.state.peek()
    loadTopics(app, readSearch(state, text).narrow)
    return suggestSearch(state, text, {
      recent: app.device.searches.value,
      topics: seenTopics(app),
      today: dayText(new Date()),
    })
  },
  async run(app, text) {
    const { searches } = app.device
    searches.value = [text, ...searches.value.filter((one) => one !== text)].slice(0, RECENT_MAX)
    const { narrow, date } = readSearch(app.state.peek(), text)
    if (date === undefined) app.router.go({ view: 'narrow', narrow })
    else await openDay(app, narrow, date)
  },
}

/** Topics with unread messages, of loaded messages, and of the channels that were asked for. */
export function seenTopics(app: App): readonly SeenTopic[] {
  const unread = [...unreadOf(app.state.peek()).channels.values()].flatMap(({ topics }) => topics)
  const loaded = app.messages.topics()
  const asked = [...app.part(ChannelTopics).byChannel.values()].flat()
  const all = [...unread, ...loaded, ...asked]
  return [...new Map(all.map((one) => [`${one.channelId} ${topicKey(one.topic)}`, one])).values()]
}

/** Channels whose topics are loaded for the palette, a few at a time. */
const CHANNELS_MAX = 40
const LOADS_MAX = 4

/** Loads the topics of the user's channels that are not there yet; calls back with each. Returns how to stop. */
export function loadAllTopics(app: App, onLoaded: () => void): () => void {
  const { byChannel } = app.part(ChannelTopics)
  const left = (app.state.peek().subscriptions ?? [])
    .map(({ stream_id: id }) => id)
    .filter((id) => !byChannel.has(id))
    .slice(0, CHANNELS_MAX)
  let isStopped = false
  const loadNext = async (): Promise<void> => {
    const id = left.shift()
    if (id === undefined || isStopped) return
    await loadTopicsOf(app, id)
    onLoaded()
    return loadNext()
  }
  for (let load = 0; load < LOADS_MAX; load++) void loadNext()
  return () => void (isStopped = true)
}

function loadTopics(app: App, narrow: Narrow): void {
  const { byChannel } = app.part(ChannelTopics)
  for (const { operator, operand } of narrow)
    if (operator === 'channel' && typeof operand === 'number' && !byChannel.has(operand))
      void loadTopicsOf(app, operand)
}

async function loadTopicsOf(app: App, channelId: number): Promise<void> {
  const { byChannel } = app.part(ChannelTopics)
  byChannel.set(channelId, [])
  try {
    const { topics } = await app.api.call('GET /users/me/{stream_id}/topics', {
      stream_id: channelId,
      allow_empty_topic_name: true,
    })
    byChannel.set(
      channelId,
      topics.map(({ name }) => ({ channelId, topic: name })),
    )
  } catch {
    // Suggestions are no more than a help: the next search asks again.
    byChannel.delete(channelId)
  }
}
