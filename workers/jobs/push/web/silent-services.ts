/**
 * Push services that leave requests unanswered. Each gets one request at a time until it answers: a request may wait for ten
 * seconds, and many of them would hold up the pushes by other services.
 */

import { LRUCache } from 'lru-cache'

/** Milliseconds after which a request without an answer counts; services answer in a fraction of them. */
const PATIENCE_MS = 2_000
/** Services whose answers are watched. Each costs some hundred bytes. */
const SERVICES_MAX = 1_000

interface Watched {
  /** When the requests began that have no answer yet, the oldest first. */
  readonly waiting: Set<{ readonly sinceMs: number }>
  /** When the last answer came. */
  answeredMs: number
  /** Whether a request ended without an answer, and none came since. */
  isSilent: boolean
}

/** The push services of one process. */
export class SilentServices {
  readonly #watched = new LRUCache<string, Watched>({ max: SERVICES_MAX })
  readonly #nowMs: () => number

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Begins a request. Answers the function that ends it, or undefined if the service must answer another one first. */
  begin(origin: string): ((isAnswered: boolean) => void) | undefined {
    const nowMs = this.#nowMs()
    const service = this.#watched.get(origin) ?? { waiting: new Set(), answeredMs: 0, isSilent: false }
    this.#watched.set(origin, service)
    const [oldest] = service.waiting
    if (oldest && (service.isSilent || isOverdue(service, oldest.sinceMs, nowMs))) return undefined
    const request = { sinceMs: nowMs }
    service.waiting.add(request)
    return (isAnswered) => {
      service.waiting.delete(request)
      if (!isAnswered) service.isSilent ||= isOverdue(service, request.sinceMs, this.#nowMs())
      else {
        service.answeredMs = this.#nowMs()
        service.isSilent = false
      }
    }
  }
}

/** Whether a request waits for long, and no other one was answered meanwhile: a lost connection says nothing of the service. */
const isOverdue = ({ answeredMs }: Watched, sinceMs: number, nowMs: number) =>
  nowMs - sinceMs > PATIENCE_MS && answeredMs <= sinceMs
