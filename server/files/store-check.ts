/** Checks whether the object store works: at the start, and from then on. */

import { isCertificateRefused } from '../domain/settings/certificate-codes.ts'
import type { Clock } from '../domain/clock.ts'
import { createFileKey } from './file-key.ts'
import { gauge, type Metric } from '../measures/metric.ts'
import { FilesAwayError, type FileStore } from './file-store.ts'

/** Milliseconds between checks: one lists a name that does not exist, which stores charge for by the thousand. */
const PERIOD_MS = 15_000
/** Codes of an address that leads to no store, or to one that speaks another protocol. */
const WRONG_ADDRESS: readonly string[] = ['ENOTFOUND', 'EPROTO']

/** Receives changes. */
export interface StoreReports {
  onFailure(error: unknown): void
  onBack(): void
}

/** A running check. */
export class StoreCheck {
  readonly #fileStore: FileStore
  readonly #reports: StoreReports
  readonly #timer: { stop(): void }
  #state: 'unknown' | 'up' | 'away' | 'wrong' = 'unknown'
  #hasWorked = false
  #isChecking = false

  constructor(fileStore: FileStore, clock: Clock, reports: StoreReports) {
    this.#fileStore = fileStore
    this.#reports = reports
    this.#timer = clock.every(PERIOD_MS, () => void this.#check())
    void this.#check()
  }

  /** Whether the last check succeeded. */
  get isUp(): boolean {
    return this.#state === 'up'
  }

  /**
   * Whether the settings may be right. A store that has worked, or that is only away, keeps no process out of service:
   * everything but files works without it.
   */
  get mayWork(): boolean {
    return this.#hasWorked || this.#state === 'away'
  }

  stop(): void {
    this.#timer.stop()
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const before = this.#state
    try {
      await this.#fileStore.size(createFileKey())
      this.#state = 'up'
      this.#hasWorked = true
      if (before === 'away' || before === 'wrong') this.#reports.onBack()
    } catch (error) {
      this.#state = isWrong(error) ? 'wrong' : 'away'
      if (this.#state !== before) this.#reports.onFailure(error)
    } finally {
      this.#isChecking = false
    }
  }
}

/** Whether only other settings help: the store refuses them, or is not what they say. */
function isWrong(error: unknown): boolean {
  if (error instanceof FilesAwayError) {
    const { cause } = error
    return isCertificateRefused(cause) || WRONG_ADDRESS.includes((cause as NodeJS.ErrnoException).code ?? '')
  }
  const { status = 0 } = error as { status?: number }
  return status < 500 && status !== 429
}

/** Starts the check of the store of FILES_URL; the log says each change. */
export function checkStore(
  fileStore: FileStore,
  clock: Clock,
  logger: { warn(record: object, message: string): void; info(message: string): void },
): StoreCheck {
  return new StoreCheck(fileStore, clock, {
    onFailure: (error) => logger.warn({ err: error }, 'the object store of FILES_URL does not work'),
    onBack: () => logger.info('the object store of FILES_URL works again'),
  })
}

/** Its metric. */
export function filesUpMetric(check: StoreCheck | undefined): Metric {
  return gauge(
    'parley_files_up',
    'Whether the object store answered the last check; absent without one.',
    () => {
      return check && Number(check.isUp)
    },
  )
}
