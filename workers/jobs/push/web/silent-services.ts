/**
 * Push services that leave requests unanswered. Each gets one request at a time until it answers: a request may wait for ten
 * seconds, and many of them would hold up the pushes by other services.
 */

import { LRUCache } from 'lru-cache'

/** Milliseconds after which a request without an answer counts; services answer in a fraction of them. */
const PATIENCE_MS = 2_000
/** Services whose answers are watched. Each costs some hundred bytes. */
const SERVICES_MAX = 1_000

/** The service must answer another request first. */
export class SilentServiceError extends Error {
  override readonly name = 'SilentServiceError'
}

interface Watched {
  /** When the requests were dialled that have no answer yet, the oldest first. */
  readonly waiting: Set<{ readonly sinceMs: number }>
  /** When the last answer came. */
  answeredMs: number
  /** Whether a request ended without an answer, and none came since. */
  isSilent: boolean
}

/** A request to a service. Until it is dialled it waits for this server, and says nothing of the service. */
export interface WatchedRequest {
  /** Throws a `SilentServiceError` if the service fell silent while the request waited for its turn. */
  readonly dial: () => void
  readonly end: (isAnswered: boolean) => void
}

/** The push services of one process. */
export class SilentServices {
  readonly #watched = new LRUCache<string, Watched>({ max: SERVICES_MAX })
  readonly #nowMs: () => number

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Throws a `SilentServiceError` if the service must answer another request first. */
  begin(origin: string): WatchedRequest {
    const service = this.#watched.get(origin) ?? { waiting: new Set(), answeredMs: 0, isSilent: false }
    this.#watched.set(origin, service)
    this.#check(service)
    let dialled: { readonly sinceMs: number } | undefined
    return {
      dial: () => {
        this.#check(service)
        dialled = { sinceMs: this.#nowMs() }
        service.waiting.add(dialled)
      },
      end: (isAnswered) => {
        if (!dialled) return
        service.waiting.delete(dialled)
        if (!isAnswered) service.isSilent ||= isOverdue(service, dialled.sinceMs, this.#nowMs())
        else {
          service.answeredMs = this.#nowMs()
          service.isSilent = false
        }
      },
    }
  }

  #check(service: Watched): void {
    const [oldest] = service.waiting
    if (oldest && (service.isSilent || isOverdue(service, oldest.sinceMs, this.#nowMs())))
      throw new SilentServiceError('the push service must answer another request first')
  }
}

/** Whether a request waits for long, and no other one was answered meanwhile: a lost connection says nothing of the service. */
const isOverdue = ({ answeredMs }: Watched, sinceMs: number, nowMs: number) =>
  nowMs - sinceMs > PATIENCE_MS && answeredMs <= sinceMs
