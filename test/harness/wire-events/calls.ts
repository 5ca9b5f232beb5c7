/** Whether the user can start video calls, in the state of a client. */

import type { WireReducers } from './wire-reducer.ts'

export const CALL_REDUCERS: WireReducers = {
  'has_provider_token/': (state, { value }) => {
    for (const name of Object.keys(state)) if (/^has_[a-z]+_token$/.test(name)) state[name] = value
  },
}
