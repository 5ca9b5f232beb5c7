/** Follows a run of an import: its progress becomes events, and it ends when its owner cancels it. */

import { setTimeout as delay } from 'node:timers/promises'
import type { ImportWatch } from '../../../server/changes/imports/import-watch.ts'
import type { ImportState } from '../../../server/domain/organization/imports.ts'
import type { OrganizationState } from '../../../server/state/organization-state.ts'
import type { ImportAtWork } from './run-phase.ts'

/** Milliseconds between two events of the progress, and between two looks whether the import is cancelled. */
const PERIOD_MS = 1_000

/** The parts that following a run needs. */
interface Following {
  readonly state: OrganizationState
  /** Applies what other processes have changed. */
  readonly catchUp: () => Promise<void>
  /** Commits a state of the import; resolves with whether it is still in the same phase. */
  readonly change: (next: ImportState) => Promise<boolean>
  /** Notifies the web processes. */
  readonly tell: () => Promise<void>
  /** Rejects if this worker has lost its lock. */
  readonly checkLock: () => Promise<void>
  readonly onCancelled: () => void
}

/** Begins to follow a run; it ends with `stop`. */
export function followRun(
  one: ImportAtWork,
  { state, catchUp, change, tell, checkLock, onCancelled }: Following,
) {
  const ended = new AbortController()
  const aborting = new AbortController()
  const watch = { step: 'starting', rows: 0 } as Pick<ImportWatch, 'step' | 'rows'>
  let isCancelled = false
  let noted = { step: watch.step, messages: 0 }
  const isOurs = async () => {
    await catchUp()
    return state.imports.find(({ id }) => id === one.id)?.state.phase === one.state.phase
  }
  const note = async () => {
    const progress = { step: watch.step, messages: watch.rows }
    const isSame = progress.step === noted.step && progress.messages === noted.messages
    const isOn = isSame ? await isOurs() : await change({ ...one.state, progress })
    if (!isOn) {
      isCancelled = true
      aborting.abort(new Error('the import is cancelled'))
      onCancelled()
      return ended.abort()
    }
    if (!isSame) await tell()
    noted = progress
    await checkLock()
  }
  const following = (async () => {
    while (!ended.signal.aborted) {
      await delay(PERIOD_MS, undefined, { signal: ended.signal }).catch(() => undefined)
      if (!ended.signal.aborted) await note()
    }
  })()
  following.catch((error: unknown) => aborting.abort(error))
  return {
    /** The watch of the run; it also ends with the process. */
    watch(signal: AbortSignal): ImportWatch & { readonly signal: AbortSignal } {
      return Object.assign(watch, { signal: AbortSignal.any([signal, aborting.signal]) })
    },
    get isCancelled(): boolean {
      return isCancelled
    },
    async stop(): Promise<void> {
      ended.abort()
      await following.catch(() => undefined)
    },
  }
}
