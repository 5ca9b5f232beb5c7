/** Starts a video call at the provider that the organization has chosen, and answers the address of its link. */

import { ApiError } from '../../../packages/client/src/index.ts'
import type { App } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { placeNameOf } from './placeholder.ts'

/** The numbers of providers in the API family. */
const JITSI = 1
const CONFIGURED = 3
const BIGBLUEBUTTON = 4
/** A number of this server's own. */
const LIVEKIT = 1000
/** Characters of a meeting's name. */
const NAME_LENGTH_MAX = 250
/** Random bytes of the name of a room: nobody guesses it. */
const ROOM_BYTES = 16

/** A call that can be joined, or the page on which the person has to allow calls first. */
export type StartedCall = { readonly url: string } | { readonly allowAt: string }

/** Whether the organization has chosen a provider that this client knows. */
export function hasCalls(state: State): boolean {
  switch (state.realm_video_chat_provider) {
    case JITSI:
      return jitsiUrl(state) !== null
    case CONFIGURED:
    case BIGBLUEBUTTON:
    case LIVEKIT:
      return true
    default:
      return false
  }
}

function jitsiUrl({ realm_jitsi_server_url: own, server_jitsi_server_url: common }: State): string | null {
  return own ?? common ?? null
}

/** Rejects if the server or the provider refuses. */
export async function startCall(app: App, place: DraftPlace): Promise<StartedCall> {
  const state = app.state.peek()
  switch (state.realm_video_chat_provider) {
    case CONFIGURED:
      return startAtProvider(app)
    case BIGBLUEBUTTON: {
      const { url } = await app.api.call('GET /calls/bigbluebutton/create', {
        meeting_name: Array.from(placeNameOf(state, place)).slice(0, NAME_LENGTH_MAX).join(''),
      })
      return { url: new URL(url, location.href).href }
    }
    case LIVEKIT: {
      const { url } = await app.api.call('POST /calls/livekit/create', livekitPlace(app, place))
      return { url: new URL(url, location.href).href }
    }
    default: {
      const bytes = crypto.getRandomValues(new Uint8Array(ROOM_BYTES))
      const room = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      return { url: `${(jitsiUrl(state) ?? '').replace(/\/+$/, '')}/${room}` }
    }
  }
}

function livekitPlace({ ownId }: App, place: DraftPlace) {
  if (place.type === 'channel') return { type: 'channel', stream_id: place.channelId } as const
  const { userIds } = place
  return { type: 'direct', to: userIds.length === 0 ? [ownId] : userIds } as const
}

async function startAtProvider({ api }: App): Promise<StartedCall> {
  try {
    return await api.call('POST /calls/provider/create')
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_PROVIDER_TOKEN') throw error
    return { allowAt: (await api.call('GET /calls/provider/register')).url }
  }
}
