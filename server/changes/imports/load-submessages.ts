/** Brings over what people did in polls and lists, in the order of there. */

import {
  findImported,
  findImportedMessages,
  importKey,
  type ImportKey,
} from '../../../db/imports/imported-ids.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { answering } from '../../decisions/decision.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import { SUBMESSAGE_LENGTH_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { toFields } from './fields.ts'
import type { ImportPlace, Loading } from './loading.ts'
import type { ForeignSubmessage } from './records.ts'
import type { People } from './load-users.ts'

/** A poll or a list. */
export interface WidgetMessage {
  readonly key: ImportKey
  readonly place: ImportPlace
  readonly submessages: readonly ForeignSubmessage[]
}

/** Adds what no earlier run has added, each message in one change. */
export async function loadSubmessages(loading: Loading, widgets: readonly WidgetMessage[]): Promise<void> {
  const { target, source, people, report } = loading
  for (const { key, place, submessages } of widgets) {
    const message = (await findImportedMessages(target.sql, [key])).get(key)
    if (!message) continue
    const keyed = submessages.map((one, index) => ({
      ...one,
      key: importKey(source.origin, 'submessage', key, String(index)),
    }))
    const done = await findImported(
      target.sql,
      keyed.map((one) => one.key),
    )
    await people.ensure(submessages.map(({ user }) => ({ id: user })))
    const lose = (example: string) =>
      report.lose({ place: place.label, reason: 'a part of a poll or a list', example })
    const wanted = keyed.flatMap((one) => {
      const senderId = people.find(one.user)
      if (done.has(one.key) || senderId === undefined) return []
      const content = contentHere(one.content, people)
      if (content !== undefined) return [{ key: one.key, senderId, content }]
      lose(`${one.user}: it is not valid`)
      return []
    })
    if (wanted.length === 0) continue
    const channelId = place.kind === 'channel' ? place.channelId : null
    const audience = audienceOf(loading, place)
    const events = wanted.map(
      ({ senderId, content }): NewEvent => ({
        event: { type: 'submessage', messageId: message.id, channelId, senderId, content },
        audience,
      }),
    )
    try {
      await target.change(
        () => answering(undefined, events),
        () => wanted.map((one) => [one.key, 0] as const),
      )
    } catch (error) {
      if (!(error instanceof StaleMessageError)) throw error
      lose('they are too long, or the message has moved')
    }
  }
}

/** The subscribers of its channel, or its partners. */
function audienceOf({ target, people }: Loading, place: ImportPlace): NewEvent['audience'] {
  const { state } = target
  const receivers =
    place.kind === 'channel'
      ? state.getChannel(place.channelId).subscribers
      : UserSet.of(
          place.members.map((member) => people.find(member)).filter((id): id is UserId => id !== undefined),
        )
  return { kind: 'users', users: receivers.intersection(state.rights.activeUsers) }
}

/** Votes and ticks name an entry by the one who added it; undefined for what no client would send. */
function contentHere(content: string, people: Pick<People, 'find'>): string | undefined {
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch {
    return undefined
  }
  const fields = toFields(data)
  if (typeof fields['type'] !== 'string') return undefined
  const key = typeof fields['key'] === 'string' ? fields['key'].split(',') : []
  const at = fields['type'] === 'vote' ? 0 : 1
  const here = key.length === 2 && /^\d{1,9}$/.test(key[at] ?? '') ? people.find(key[at] ?? '') : undefined
  if (here !== undefined) key[at] = String(here)
  const written = here === undefined ? content : JSON.stringify({ ...fields, key: key.join() })
  return written.length <= SUBMESSAGE_LENGTH_MAX ? written : undefined
}
