/** Events of pins: each has the whole list of its channel. */

import { withoutPins } from './channel-lists.ts'
import { assign, type Reducers } from './reducer.ts'

export const PIN_REDUCERS = {
  channel_pins: (state, { stream_id, pins }) => {
    if (!state.channel_pins) return state
    const others = withoutPins(state.channel_pins, [stream_id]) ?? []
    const all = pins.length === 0 ? others : [...others, { stream_id, pins }]
    return assign(state, { channel_pins: all.toSorted((a, b) => a.stream_id - b.stream_id) })
  },
} satisfies Partial<Reducers>
