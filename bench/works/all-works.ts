/** The benchmarks in the order of a run. */

import type { Work } from '../measure/work.ts'
import { channelsAtScale } from './channels-at-scale.ts'
import { fanOut, longPoll } from './w1-fan-out.ts'
import { registration } from './w10-register.ts'
import { memory } from './w11-memory.ts'
import { mixedDay } from './w12-mixed-day.ts'
import { search } from './w13-search.ts'
import { sends } from './w3-sends.ts'
import { reads } from './w2-reads.ts'
import { refusals } from './w21-refusals.ts'
import { imports } from './w22-import.ts'
import { killedImports } from './w23-killed-import.ts'
import { webhooks } from './w24-webhooks.ts'
import { pages } from './w4-pages.ts'
import { pushes } from './w20-pushes.ts'
import { notifiedSends } from './w25-notified.ts'
import { presence } from './w5-presence.ts'
import { editHistory } from './w6-edit-history.ts'
import { storage } from './storage.ts'
import { growth } from './w19-growth.ts'
import { oneSend } from './w18-one-send.ts'
import { twoProcesses } from './w14-two-processes.ts'
import { clientLoad } from './w15-client-load.ts'
import { clientSpeed } from './w16-client-speed.ts'
import { clientMemory } from './w17-client-memory.ts'
import { connections } from './w26-connections.ts'
import { scheduledMessages } from './w9-scheduled.ts'
import { rendering } from './w7-rendering.ts'
import { uploads } from './w8-tus.ts'

export const WORKS: readonly Work[] = [
  fanOut,
  longPoll,
  reads,
  sends,
  pages,
  presence,
  editHistory,
  rendering,
  uploads,
  scheduledMessages,
  registration,
  memory,
  twoProcesses,
  channelsAtScale,
  clientLoad,
  clientSpeed,
  oneSend,
  refusals,
  webhooks,
  pushes,
  notifiedSends,
  growth,
]

/** These take minutes each, so they run only by name. */
export const LONG_WORKS: readonly Work[] = [
  search,
  clientMemory,
  imports,
  mixedDay,
  storage,
  killedImports,
  connections,
]
