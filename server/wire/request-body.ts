/** The body of a request as it comes, no faster than it is taken. */

import type { HttpResponse } from './uws.ts'

/**
 * Bytes that wait before the client is held up. The library hands out half a MiB at once, and stops only when it has
 * handed out what the system holds: some MiB more.
 */
const WAITING_BYTES_MAX = 1024 * 1024
/** Bytes that are read and dropped so that the client, who reads no answer before it has sent all, gets one. */
const DROPPED_BYTES_MAX = 32 * 1024 * 1024

/** Bytes of a block: what the library hands out at once, at most. */
const BLOCK_BYTES = 512 * 1024
/** Blocks that are kept for the next body: what one takes at most, as a rule. */
const BLOCKS_KEPT = 16

/** A piece of memory, filled as far as its bytes go. */
interface Block {
  readonly memory: Uint8Array<ArrayBuffer>
  bytes: number
}

const freeBlocks: Block[] = []

function takeBlock(): Block {
  return freeBlocks.pop() ?? { memory: Buffer.allocUnsafeSlow(BLOCK_BYTES), bytes: 0 }
}

function giveBack(block: Block): void {
  block.bytes = 0
  freeBlocks.push(block)
  // The one that was not used for the longest goes, and at once: the collector comes after tens of MiB.
  if (freeBlocks.length > BLOCKS_KEPT) freeBlocks.shift()?.memory.buffer.transfer(0)
}

/** A body; to be made in the handler's own turn, and iterated once at most. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #res: HttpResponse
  #waiting: Block[] = []
  #waitingBytes = 0
  #isPaused = false
  /** Whether no more is taken of what comes. */
  #isCut = false
  /** Whether more may come, and where not, whether all has come. */
  #state: 'coming' | 'whole' | 'broken' = 'coming'
  #isGone = false
  #droppedBytes = 0
  #wake: (() => void) | undefined
  #onOver: ((isWhole: boolean) => void) | undefined
  /** Bytes that were taken so far. */
  takenBytes = 0

  constructor(res: HttpResponse) {
    this.#res = res
    res.onData((chunk, isLast) => this.#onData(chunk, isLast))
  }

  /** Bytes that have come, whether or not they were taken. */
  get arrivedBytes(): number {
    return this.takenBytes + this.#waitingBytes
  }

  /** Each piece is lent until the next is asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const block = this.#waiting.shift()
      if (block) {
        this.#waitingBytes -= block.bytes
        this.takenBytes += block.bytes
        if (this.#waitingBytes < WAITING_BYTES_MAX) this.#resume()
        try {
          yield block.memory.subarray(0, block.bytes)
        } finally {
          giveBack(block)
        }
        continue
      }
      if (this.#state !== 'coming' || this.#isCut) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Takes no more than has come: whoever iterates gets that, and then the end. */
  cut(): void {
    this.#isCut = true
    this.#resume()
    this.#wakeUp()
  }

  /** The client is gone; nothing of the library is touched from here on. */
  onGone(): void {
    this.#isGone = true
    this.stop()
  }

  /** Waits for nothing more: the connection is to be closed. */
  stop(): void {
    this.cut()
    this.#end('broken')
  }

  /** Drops what was not taken; resolves to whether the connection can be used on, when the body is over or too long. */
  async drop(): Promise<boolean> {
    for (const block of this.#waiting.splice(0)) giveBack(block)
    this.#waitingBytes = 0
    this.cut()
    if (this.#state !== 'coming') return this.#state === 'whole'
    return new Promise((resolve) => {
      this.#onOver = resolve
    })
  }

  #onData(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#isCut) this.#droppedBytes += chunk.byteLength
    else this.#keep(new Uint8Array(chunk)) // Its memory is only lent for this call.
    if (isLast) {
      this.#resume() // Or the connection would stay paused for the next request.
      this.#end('whole')
    } else if (this.#droppedBytes > DROPPED_BYTES_MAX) this.#end('broken')
    else if (!this.#isCut && this.#waitingBytes >= WAITING_BYTES_MAX) {
      // Also where it is paused: what comes nevertheless arms the time after which it would be given up.
      this.#isPaused = true
      this.#res.pause()
    }
    this.#wakeUp()
  }

  /** Copies what has come behind what waits. */
  #keep(chunk: Uint8Array): void {
    this.#waitingBytes += chunk.length
    for (let kept = 0; kept < chunk.length; ) {
      let block = this.#waiting.at(-1)
      if (!block || block.bytes === BLOCK_BYTES) {
        block = takeBlock()
        this.#waiting.push(block)
      }
      const part = chunk.subarray(kept, kept + BLOCK_BYTES - block.bytes)
      block.memory.set(part, block.bytes)
      block.bytes += part.length
      kept += part.length
    }
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    if (!this.#isGone) this.#res.resume()
  }

  #end(state: 'whole' | 'broken'): void {
    if (this.#state === 'coming') this.#state = state
    this.#onOver?.(this.#state === 'whole')
    this.#wakeUp()
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
