/** Creates avatars, emoji and thumbnails in a separate thread, one file after the other. */

import { TaskFigures } from './task-figures.ts'
import { TaskThread } from './task-thread.ts'
import { UNWATCHED, type WatchTask } from './watch-task.ts'
import { formatOf } from './images/image-format.ts'
import type { DrawnPicture, DrawnSize } from '../../server/domain/files/drawn-pictures.ts'
import type { ThumbnailFormat } from '../../server/domain/files/thumbnails.ts'
import type { Drawn, DrawnThumbnail, FileToDraw, ImageKind, MadePicture } from './images/image-task.ts'

/** Waiting files, of some MiB each; beyond it the server is overloaded. */
const WAITING_MAX = 20
/** Waiting files of one user: as many as a browser sends at once. More would delay all other users. */
const WAITING_PER_USER_MAX = 6
/** Waiting thumbnails: their files are read only at their turn, so that they take no memory while they wait. */
const THUMBNAILS_WAITING_MAX = 1_000
/** Waiting pictures of users without one: a list of people asks for hundreds at once, each some milliseconds' work. */
const INITIALS_WAITING_MAX = 1_000
/** Milliseconds without work until the thread ends: images are rare, and it holds some 20 MB. */
const IDLE_MS = 30_000

/** A file that could not become a picture, and the reason. */
export class ImageError extends Error {
  override readonly name = 'ImageError'
  readonly fault: 'undecodable' | 'too_large' | 'other_format'

  constructor(fault: ImageError['fault']) {
    super(`no picture was made: ${fault}`)
    this.fault = fault
  }
}

/** Too many files are waiting, in total or for one user. */
export class ImageOverloadError extends Error {
  override readonly name = 'ImageOverloadError'
}

/** The result of a file. */
export interface MadeImage {
  readonly pictures: readonly MadePicture[]
  readonly isAnimated: boolean
}

/** The image work of one process; its thread starts with the first file. */
export class Imager {
  readonly #msMax: number
  readonly #watch: WatchTask
  readonly #thread = new TaskThread<FileToDraw | undefined, Drawn | undefined>(
    'images/image-task.ts',
    undefined,
    { idleTimeout: IDLE_MS },
    'process', // The library draws in threads of its own.
  )
  #turn: Promise<unknown> = Promise.resolve()
  #waitingCount = 0
  /** By user; users without waiting files are absent. */
  readonly #waitingOf = new Map<number, number>()
  /** Each user's last waiting thumbnail: only one of them at a time waits in the common queue. */
  readonly #thumbnailTurns = new Map<number, Promise<unknown>>()
  #thumbnailCount = 0
  #initialsCount = 0
  #isClosed = false
  readonly figures = new TaskFigures()

  /** `msMax` limits the work for each file. */
  constructor(msMax: number, watch = UNWATCHED) {
    this.#watch = watch
    this.#msMax = msMax
  }

  /**
   * The pictures of a user's file. Rejects with an `ImageError`, or with an `ImageOverloadError` if too many are
   * waiting.
   */
  async make(kind: ImageKind, bytes: Uint8Array, userId: number): Promise<MadeImage> {
    const format = formatOf(bytes)
    if (format !== 'taken') throw new ImageError(format === 'unknown' ? 'undecodable' : 'other_format')
    const ofUser = this.#waitingOf.get(userId) ?? 0
    if (this.#waitingCount >= WAITING_MAX || ofUser >= WAITING_PER_USER_MAX) {
      this.figures.refused++
      throw new ImageOverloadError('too many files wait')
    }
    this.#waitingCount++
    this.#waitingOf.set(userId, ofUser + 1)
    try {
      const drawn = await this.#watch(
        'image',
        this.#inTurn(() => this.#draw({ kind, bytes })),
      )
      if (drawn.kind !== 'pictures') throw new Error(`an ${kind} was made a ${drawn.kind}`)
      return drawn
    } finally {
      this.#waitingCount--
      const left = (this.#waitingOf.get(userId) ?? 1) - 1
      if (left > 0) this.#waitingOf.set(userId, left)
      else this.#waitingOf.delete(userId)
    }
  }

  /**
   * A thumbnail of a user's file, in the default format or another; the file is read at its turn. Rejects with an
   * `ImageError`, with an `ImageOverloadError` if too many are waiting, or with an error of the read.
   */
  async makeThumbnail(
    format: ThumbnailFormat | 'standard',
    read: () => Promise<Uint8Array>,
    userId: number,
  ): Promise<DrawnThumbnail> {
    if (this.#thumbnailCount >= THUMBNAILS_WAITING_MAX) {
      this.figures.refused++
      throw new ImageOverloadError('too many thumbnails wait')
    }
    this.#thumbnailCount++
    const before = this.#thumbnailTurns.get(userId) ?? Promise.resolve()
    const made = before.then(() => this.#inTurn(async () => this.#drawThumbnail(format, await read())))
    const turn = made.catch(() => undefined)
    this.#thumbnailTurns.set(userId, turn)
    try {
      return await this.#watch('image', made)
    } finally {
      this.#thumbnailCount--
      if (this.#thumbnailTurns.get(userId) === turn) this.#thumbnailTurns.delete(userId)
    }
  }

  /** The picture of a user without one. Rejects with an `ImageOverloadError` if too many are waiting. */
  async drawInitials(picture: DrawnPicture, size: DrawnSize): Promise<MadePicture> {
    if (this.#initialsCount >= INITIALS_WAITING_MAX) {
      this.figures.refused++
      throw new ImageOverloadError('too many pictures of users wait')
    }
    this.#initialsCount++
    try {
      const drawn = await this.#watch(
        'image',
        this.#inTurn(() => this.#draw({ kind: 'initials', picture, size })),
      )
      const made = drawn.kind === 'pictures' ? drawn.pictures[0] : undefined
      if (!made) throw new Error('no picture was drawn')
      return made
    } finally {
      this.#initialsCount--
    }
  }

  async #drawThumbnail(format: ThumbnailFormat | 'standard', bytes: Uint8Array): Promise<DrawnThumbnail> {
    if (formatOf(bytes) !== 'taken') throw new ImageError('other_format')
    const drawn = await this.#draw({ kind: 'thumbnail', bytes, format })
    if (drawn.kind !== 'thumbnail') throw new Error(`a thumbnail was made ${drawn.kind}`)
    return drawn
  }

  /** Files wait here instead of in the pool, so that waiting does not count as work. */
  #inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const sinceMs = performance.now()
    const turn = this.#turn.then(() => {
      this.figures.waitSeconds.observeSince(sinceMs)
      return make()
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Files and thumbnails that wait, or are being made. */
  get waitingCount(): number {
    return this.#waitingCount + this.#thumbnailCount + this.#initialsCount
  }

  /** Ends the thread; waiting files are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.close()
  }

  /** Past the time limit the thread ends, the call rejects, and a new thread replaces it. */
  async #draw(file: FileToDraw): Promise<Extract<Drawn, { kind: 'pictures' | 'thumbnail' }>> {
    await this.#unlessClosed(() => this.#thread.load())
    const startMs = performance.now()
    const drawn = await this.#unlessClosed(() => this.#thread.run(file, this.#msMax)).catch((error) => {
      if (error instanceof ImageOverloadError) throw error
      this.figures.killed++
      throw new ImageError('too_large')
    })
    this.figures.done++
    this.figures.runSeconds.observeSince(startMs)
    if (drawn?.kind === 'pictures' || drawn?.kind === 'thumbnail') return drawn
    throw new ImageError(drawn?.kind ?? 'undecodable')
  }

  /** Runs a task; its failure after the end of the thread says nothing about the file. */
  async #unlessClosed<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      if (!this.#isClosed) return await run()
    } catch (error) {
      if (!this.#isClosed) throw error
    }
    throw new ImageOverloadError('the imager is closed')
  }
}
