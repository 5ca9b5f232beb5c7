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
function seenTopics(app: App): readonly SeenTopic[] {
  const unread = [...unreadOf(app.state.peek()).channels.values()].flatMap(({ topics }) => topics)
  const loaded = app.messages.topics()
  const asked = [...app.part(ChannelTopics).byChannel.values()].flat()
  const all = [...unread, ...loaded, ...asked]
  return [...new Map(all.map((one) => [`${one.channelId} ${topicKey(one.topic)}`, one])).values()]
}

function loadTopics(app: App, narrow: Narrow): void {
  const { byChannel: channelTopics } = app.part(ChannelTopics)
  for (const { operator, operand } of narrow) {
    if (operator !== 'channel' || typeof operand !== 'number' || channelTopics.has(operand)) continue
    channelTopics.set(operand, [])
    app.api
      .call('GET /users/me/{stream_id}/topics', { stream_id: operand, allow_empty_topic_name: true })
      .then(
        ({ topics }) => {
          channelTopics.set(
            operand,
            topics.map(({ name }) => ({ channelId: operand, topic: name })),
          )
        },
        // Suggestions are no more than a help: the next search asks again.
        () => channelTopics.delete(operand),
      )
  }
}
