/** Channels that a person of Mattermost pinned or muted. */

import { type Fields, toFields, toList, toText } from '../fields.ts'
import type { ForeignOwn } from '../own/records.ts'

/** The choices in the line of a person. */
export function* readChoices(user: Fields): Generator<ForeignOwn> {
  for (const one of toList(user['teams'])) {
    const team = toFields(one)
    for (const channel of toList(team['channels'])) {
      const { name, favorite, notify_props: notifications } = toFields(channel)
      const values = {
        ...(favorite === true ? { is_pinned: true } : {}),
        // Its channels are muted so: only mentions count.
        ...(toFields(notifications)['mark_unread'] === 'mention' ? { is_muted: true } : {}),
      }
      if (Object.keys(values).length === 0) continue
      const id = `${toText(team['name'])}/${toText(name)}`
      yield { user: toText(user['username']), kind: 'channel settings', channel: id, values }
    }
  }
}
