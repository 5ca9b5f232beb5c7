/** Pins of messages and topics in their channel. */

import { movePinnedTopic, removePins, storePin } from '../../db/organization/channel-pins.ts'
import { notifyPins } from '../audience/pins.ts'
import type { PinFact, PinNotice } from '../domain/events/pins.ts'
import type { PinId } from '../domain/ids.ts'
import { arrayOf, INTEGER, record } from '../domain/json-schema.ts'
import { PIN, viewPin } from '../views/pin-view.ts'
import { type Entries, notice, silent } from './entry.ts'
import { shown } from './view.ts'

export const PIN_EVENTS: Entries<PinFact | PinNotice> = {
  'channel_pins/add': silent({
    audience: notifyPins,
    apply(state, { channelId, pin }, id) {
      const channel = state.channelToChange(channelId)
      channel.pins = [...channel.pins, { ...pin, id: id as number as PinId }]
    },
    store: (writes, id, { channelId, pin }) => storePin(writes, id, channelId, pin),
  }),
  'channel_pins/remove': silent({
    audience: notifyPins,
    apply(state, { channelId, pinIds }) {
      const channel = state.channelToChange(channelId)
      channel.pins = channel.pins.filter(({ id }) => !pinIds.includes(id))
    },
    store: (writes, _, { pinIds }) => removePins(writes, pinIds),
  }),
  'channel_pins/rename': silent({
    audience: notifyPins,
    apply(state, { channelId, pinId, topic }) {
      const channel = state.channelToChange(channelId)
      channel.pins = channel.pins.map((pin) => (pin.id === pinId ? { ...pin, messageId: null, topic } : pin))
    },
    store: (writes, _, { pinId, topic }) => movePinnedTopic(writes, pinId, topic),
  }),
  channel_pins: notice({
    view: shown(
      'The pins of a channel that the user is subscribed to: all that the user sees now. Other servers have no such event.',
      record({ stream_id: INTEGER, pins: arrayOf(PIN) }),
      ({ channelId, pins }) => ({ stream_id: channelId, pins: pins.map(viewPin) }),
    ),
  }),
}
