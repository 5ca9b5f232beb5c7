/**
 * Opens the copy of the state and of the last conversations on this device: the page shows it when it starts without a
 * connection. It belongs to one session: only a page with the token of that session opens it.
 */

import type { State } from '../store/apply.ts'
import { channelsById } from '../store/derived/channels.ts'
import { keyOf, type Narrow } from '../store/narrows/narrow.ts'
import type { App } from './app.ts'
import { BUILD, type Conversation, type Part, TOKEN_KEY } from './copy-parts.ts'
import { DeviceStore } from './device-store.ts'
import { endEarly } from './early-requests.ts'

/** Older copies mislead more than they help. */
const AGE_MS_MAX = 14 * 86_400_000

/** The person of a copy, and the function that shows it in their page. */
interface Copy {
  readonly userId: number
  readonly show: (app: App) => void
}

/** The copy of a session; undefined if this device has none, or none that is of use. */
export async function openCopy(token: string): Promise<Copy | undefined> {
  const userId = findOwner(token)
  if (userId === undefined) return undefined
  const parts: readonly Part[] = await new DeviceStore<Part>(userId, 'reading').load().catch(() => [])
  const about = parts.find((part) => part.kind === 'about')
  if (!about || about.build !== BUILD || Date.now() - about.atMs > AGE_MS_MAX) return undefined
  const values = parts.flatMap((part) => (part.kind === 'state' ? [[part.name, part.value] as const] : []))
  const state = Object.fromEntries(values) as State
  if (state.user_id !== userId) return undefined
  const conversations = parts
    .filter((part) => part.kind === 'conversation')
    .filter(({ narrow }) => isIn(state, narrow))
    .sort(
      (a, b) => about.conversations.indexOf(keyOf(a.narrow)) - about.conversations.indexOf(keyOf(b.narrow)),
    )
  return { userId, show: (app) => show(app, state, about.atMs, conversations) }
}

function show(app: App, state: State, atMs: number, conversations: readonly Conversation[]): void {
  endEarly()
  for (const { narrow, messages, hasOldest, hasNewest } of conversations) {
    app.messages.adopt(narrow, messages, { hasOldest, hasNewest })
    app.previews.hold(messages)
  }
  const ids = conversations.map(({ messages }) => messages.at(-1)?.id ?? 0)
  app.outbox.noteAll(Math.max(state.max_message_id ?? 0, ...ids))
  app.showCopy(state, atMs)
}

/** A channel may have gone since its conversation was stored. */
function isIn(state: State, narrow: Narrow): boolean {
  return narrow.every((one) => one.operator !== 'channel' || channelsById(state).has(Number(one.operand)))
}

function findOwner(token: string): number | undefined {
  try {
    const entry = Object.entries(localStorage as Readonly<Record<string, string>>).find(
      ([key, value]) => key.startsWith(TOKEN_KEY) && value === token,
    )
    return entry && Number(entry[0].slice(TOKEN_KEY.length))
  } catch {
    return undefined // The browser refuses storage.
  }
}
