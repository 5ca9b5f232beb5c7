/**
 * The nodes of a web process, one after another: when the log begins a new epoch, its process closes the node, whose state
 * belongs to the earlier one, and starts another. The code is loaded and warm by then, so that takes a fraction of a new
 * start of the program, which follows only if something goes wrong.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import { VERSION } from '../measures/version.ts'
import { countResources, nothingLeft } from './leftovers.ts'
import { type NodeOptions, startNode, type WebNode } from './node.ts'

/** Milliseconds for closing a node that waits for nobody: a machine short of the processor takes some seconds. */
const CLOSE_MS_MAX = 10_000
/** Milliseconds for the start of the next one, and how often it is tried while the database is away again. */
const START_MS_MAX = 60_000
const RETRY_MS = 250

/** The options of each node, and the way out. */
export interface SuccessiveNodesOptions extends Omit<NodeOptions, 'onLost'> {
  /** Starts the whole program anew, since this process cannot go on. */
  readonly startAnew: (reason: string) => void
}

/** The node of this process, whichever it is. */
export interface SuccessiveNodes {
  /** Closes the node as an operator wants it, also amid a change; no other follows. */
  close(): Promise<void>
}

/** Starts the first node; resolves once it listens. */
export async function startSuccessiveNodes(options: SuccessiveNodesOptions): Promise<SuccessiveNodes> {
  const nodes = new Nodes(options)
  await nodes.start()
  return nodes
}

class Nodes implements SuccessiveNodes {
  readonly #options: SuccessiveNodesOptions
  /** The resources of this process without a node. */
  readonly #before = countResources()
  #node: WebNode | undefined
  /** Why the node's state is of another history than the database; undefined as long as it is of the same. */
  #lostBy: string | undefined
  #changing: Promise<void> | undefined
  #isClosing = false

  constructor(options: SuccessiveNodesOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { startAnew: _, ...options } = this.#options
    this.#lostBy = undefined
    const onLost = (reason: string) => {
      this.#lostBy = reason
      this.#changeIfLost()
    }
    this.#node = await startNode({ ...options, onLost })
    options.logger.info({ version: VERSION, url: this.#node.url }, 'web process is ready')
    this.#changeIfLost() // Another server may have taken over amid the start.
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#changing
    await this.#node?.close()
  }

  #changeIfLost(): void {
    if (this.#lostBy === undefined || !this.#node || this.#isClosing) return
    this.#changing ??= this.#change(this.#node, this.#lostBy).finally(() => {
      this.#changing = undefined
      this.#changeIfLost()
    })
  }

  async #change(node: WebNode, reason: string): Promise<void> {
    const { logger, startAnew } = this.#options
    logger.warn({ reason }, 'the database is not as this process knows it: a new epoch begins')
    this.#node = undefined
    try {
      await within(CLOSE_MS_MAX, 'closing', node.abandon())
      await nothingLeft(this.#before, CLOSE_MS_MAX)
      await within(START_MS_MAX, 'the start', this.#startNext())
    } catch (error) {
      if (this.#isClosing) return
      this.#isClosing = true
      logger.error({ err: error }, 'this process cannot go on with a new epoch')
      startAnew(reason)
    }
  }

  /** Tries again while there is no primary: another server may be about to take over. */
  async #startNext(): Promise<void> {
    while (!this.#isClosing) {
      try {
        return await this.start()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        this.#options.logger.error({ err: error }, 'the database is unavailable')
        await wait(RETRY_MS)
      }
    }
  }
}

/** The result of a promise; rejects when the time is over. */
async function within<Value>(msMax: number, what: string, promise: Promise<Value>): Promise<Value> {
  const settled = new AbortController()
  const late = wait(msMax, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`${what} takes more than ${msMax} ms`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    settled.abort()
  }
}
