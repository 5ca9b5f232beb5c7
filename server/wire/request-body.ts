/** The body of a request, read no faster than it is consumed. */

import { bytesOf, type Chunk, SKIPPED_BYTES_MAX, type HttpResponse } from './transport/transport.ts'

/**
 * Bytes that wait before the client is paused. The library delivers half a MiB at once, and after a pause what the
 * system has buffered: a few MiB more.
 */
const WAITING_BYTES_MAX = 1024 * 1024
/** Bytes of a block: the most that the library delivers at once. */
const BLOCK_BYTES = 512 * 1024
/** Blocks cached for the next body: as many as most bodies take. */
const CACHED_BLOCKS_MAX = 16

/** A piece of memory, filled up to its count of bytes. */
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
  // Frees the least recently used block at once: the garbage collector waits for tens of MiB.
  if (freeBlocks.length > CACHED_BLOCKS_MAX) freeBlocks.shift()?.memory.buffer.transfer(0)
}

/** A body; create it in the turn of the handler, and iterate it once at most. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #res: HttpResponse
  #waiting: Block[] = []
  #waitingBytes = 0
  #isPaused = false
  /** Whether later bytes are ignored. */
  #isCut = false
  /** Whether more may arrive and, if not, whether the body is whole. */
  #state: 'coming' | 'whole' | 'broken' = 'coming'
  #isGone = false
  #droppedBytes = 0
  #wake: (() => void) | undefined
  #onOver: ((isWhole: boolean) => void) | undefined
  /** Bytes consumed so far. */
  takenBytes = 0

  constructor(res: HttpResponse) {
    this.#res = res
    res.onData((chunk, isLast) => this.#onData(chunk, isLast))
  }

  /** Bytes that have arrived, consumed or not. */
  get arrivedBytes(): number {
    return this.takenBytes + this.#waitingBytes
  }

  get isWhole(): boolean {
    return this.#state === 'whole'
  }

  /** Each chunk is lent until the next one is requested. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const block = this.#waiting.shift()
      if (block) {
        this.#waitingBytes -= block.bytes
        this.takenBytes += block.bytes
        if (this.#state === 'coming' && this.#waitingBytes < WAITING_BYTES_MAX) this.#resume()
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

  /** Ends the iteration after the bytes that have arrived. */
  cut(): void {
    this.#isCut = true
    if (this.#state === 'coming') this.#resume()
    this.#wakeUp()
  }

  /** The client is gone; the library's object must not be used from now on. */
  onGone(): void {
    this.#isGone = true
    this.stop()
  }

  /** Stops waiting for more: the connection will be closed. */
  stop(): void {
    this.cut()
    this.#end('broken')
  }

  /**
   * Drops the rest, just before the answer; resolves when the body is over or too long, to whether the connection can be
   * reused.
   */
  async drop(): Promise<boolean> {
    for (const block of this.#waiting.splice(0)) giveBack(block)
    this.#waitingBytes = 0
    this.cut()
    this.#resume() // Otherwise the connection would stay paused for the next request.
    if (this.#state !== 'coming') return this.#state === 'whole'
    return new Promise((resolve) => {
      this.#onOver = resolve
    })
  }

  #onData(chunk: Chunk, isLast: boolean): void {
    if (this.#isCut) {
      this.#droppedBytes += chunk.byteLength
      this.#res.onRest?.(chunk.byteLength, isLast)
    } else this.#keep(bytesOf(chunk)) // Its memory is only lent for this call.
    // If it is paused, it stays so until the answer: resuming starts the connection's timeout, and a slow disk or store may
    // need longer for the rest.
    if (isLast) this.#end('whole')
    else if (this.#droppedBytes > SKIPPED_BYTES_MAX) this.#end('broken')
    else if (!this.#isCut && this.#waitingBytes >= WAITING_BYTES_MAX) {
      // Even if it is paused already: bytes that still arrive start the connection's timeout.
      this.#isPaused = true
      this.#res.pause()
    }
    this.#wakeUp()
  }

  /** Copies the chunk behind the waiting bytes. */
  #keep(chunk: Uint8Array): void {
    this.#waitingBytes += chunk.length
    for (let copied = 0; copied < chunk.length; ) {
      let block = this.#waiting.at(-1)
      if (!block || block.bytes === BLOCK_BYTES) {
        block = takeBlock()
        this.#waiting.push(block)
      }
      const part = chunk.subarray(copied, copied + BLOCK_BYTES - block.bytes)
      block.memory.set(part, block.bytes)
      block.bytes += part.length
      copied += part.length
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
