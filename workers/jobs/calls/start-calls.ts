/** Starts the looks at calls: the database announces them when a message has one, and when somebody follows its link. */

import type { Sql } from '../../../db/connection/connect.ts'
import { CALLS_NOTICE } from '../../../db/messages/call-messages.ts'
import { listMeetingPeople } from '../../../server/changes/calls/bigbluebutton.ts'
import { listRoomPeople } from '../../../server/changes/calls/livekit.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type {
  BigBlueButtonSettings,
  LiveKitSettings,
} from '../../../server/domain/organization/call-provider.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'
import { startAnnounced } from '../start-announced.ts'
import { type CallProviders, lookAtCalls } from './look-at-calls.ts'

const JOB = 'look-at-calls'
/** Calls at once: each waits for one answer of a provider, and one that hangs must not hold up the other one's. */
const CONCURRENCY = 8

/** The parts of a worker that calls need. */
export interface CallOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly openSender: OpenSender
  readonly liveKit: LiveKitSettings | undefined
  readonly bigBlueButton: BigBlueButtonSettings | undefined
}

/** Starts the looks; after it resolves, no notice is missed. Without a provider there are none. */
export async function startCalls(context: JobContext, options: CallOptions): Promise<void> {
  const { sql, clock, openSender, liveKit, bigBlueButton } = options
  if (!liveKit && !bigBlueButton) return
  const work = { sql, openSender, providers: openProviders(options), onError: context.onError }
  await startAnnounced(
    context,
    {
      queue: 'calls',
      concurrency: CONCURRENCY,
      sweep: 'sweep-calls',
      sql,
      notice: CALLS_NOTICE,
      readNotice: () => ({ name: JOB, options: REMOVED_WHEN_FINISHED }),
      async run() {
        const due = await lookAtCalls(work)
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
}

/** The providers that the operator has configured. */
export function openProviders({
  clock,
  liveKit,
  bigBlueButton,
}: Pick<CallOptions, 'clock' | 'liveKit' | 'bigBlueButton'>): CallProviders {
  return {
    ...(liveKit ? { livekit: (room) => listRoomPeople(liveKit, room, clock.nowMs()) } : {}),
    ...(bigBlueButton ? { bigbluebutton: (id) => listMeetingPeople(bigBlueButton, id) } : {}),
  }
}
