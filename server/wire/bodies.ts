/** Reads the bodies of admitted requests, within the server's room for them. */

import {
  type Admission,
  type AdmitContext,
  answer,
  type ApiAnswer,
  type ApiResponse,
  toResponse,
} from '../api/admit.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { SAFE_METHODS } from '../api/door/cross-site.ts'
import { isForm } from '../api/read-payload.ts'
import { fail } from '../errors/api-error.ts'
import { admitUpload } from './admit-upload.ts'
import type { Answers } from './answers.ts'
import { BodyBudget, type BodyShare } from './body-budget.ts'
import { BodyPlaces } from './body-places.ts'
import { decodeForm, decodeQuery } from './decode-form.ts'
import type { Flight } from './flights.ts'
import { LargeBodies } from './large-bodies.ts'
import { isMultipart } from './multipart-head.ts'
import { readFields } from './read-fields.ts'
import { BODY_BYTES_MAX, readBody, type WireRequest } from './request.ts'
import { RequestBody } from './request-body.ts'

/** Concurrent uploads: each may hold 8 MiB that are not on disk yet, and an open file. */
const UPLOADS_MAX = 32
/** Per user: a few more than a browser has connections. */
const UPLOADS_PER_USER_MAX = 8

/** Bytes of a whole body: never slow. */
const WHOLE = Number.MAX_SAFE_INTEGER

/** The bodies that one server reads. */
export class Bodies {
  readonly #admission: AdmitContext
  readonly #answers: Answers
  readonly #largeBodies = new LargeBodies()
  readonly #budget = new BodyBudget()
  readonly #uploads = new BodyPlaces(UPLOADS_MAX, UPLOADS_PER_USER_MAX)

  constructor(admission: AdmitContext, answers: Answers) {
    this.#admission = admission
    this.#answers = answers
  }

  /** The places of uploads and of large bodies. */
  get places() {
    return { uploads: this.#uploads, largeBodies: this.#largeBodies.places }
  }

  /** Answers an admitted request once its body has arrived; the body's reader must start in this turn. */
  async answer(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiAnswer> {
    const { operation, exchange } = admission
    if (operation.takesWebhook) return this.#answerWebhook(flight, request, admission)
    if (operation.file?.mibMax === 'streamed' && exchange.user && isMultipart(request.contentType))
      return this.#receive(flight, request, admission)
    const { fileRoom, bytesMax, leave } = this.#largeBodies.makeRoom(request, admission, {
      bytes: () => (flight.isWaiting ? flight.bodyBytes : WHOLE),
      onLost: () => this.#lose(flight),
    })
    flight.fileRoom = fileRoom
    flight.leavePlace = leave
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const files = await this.readFields(flight, request, exchange, { bytesMax, fields })
    if (!SAFE_METHODS.includes(flight.method)) {
      await this.#answers.turn.next()
      this.#answers.beginChange(flight)
    }
    return answer(request, admission, { fields, files }, this.#admission)
  }

  /** Answers a webhook: its body is for an integration, so only the address has parameters. */
  async #answerWebhook(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiAnswer> {
    const { contentType, webhookHeaders: headers } = request
    const { user } = admission.exchange
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    const body = await this.readWhole(flight, request, { user, bytesMax: BODY_BYTES_MAX })
    await this.#answers.turn.next()
    this.#answers.beginChange(flight)
    const webhook = { body, contentType, headers, form: isForm(contentType) ? formOf(body) : undefined }
    return answer(request, admission, { fields, webhook }, this.#admission)
  }

  /** Adds the fields of a body to the others, within its share of the memory; returns its files. */
  async readFields(
    flight: Flight,
    request: WireRequest,
    { user }: Exchange,
    { bytesMax, fields }: { readonly bytesMax: number; readonly fields: Map<string, string> },
  ) {
    const { fileRoom } = flight
    return this.#within(flight, request, { user, bytesMax }, async (body) => {
      const files = await readFields(request.contentType, body, fields, fileRoom)
      if (files !== 'too_large') flight.rest = 'none'
      return files
    })
  }

  /** The bytes of a body, within its share of the memory. */
  readWhole(
    flight: Flight,
    request: WireRequest,
    room: { readonly user: Exchange['user']; readonly bytesMax: number },
  ): Promise<Buffer> {
    return this.#within(flight, request, room, async (coming) => {
      const whole = await coming
      flight.rest = 'none'
      return whole
    })
  }

  /** Reads a body within its share of the memory. */
  async #within<Result>(
    flight: Flight,
    request: WireRequest,
    { user, bytesMax }: { readonly user: Exchange['user']; readonly bytesMax: number },
    read: (body: Promise<Buffer>) => Promise<Result>,
  ): Promise<Result> {
    flight.share =
      flight.fileRoom === 'large'
        ? noteBytes(flight) // It has a place instead of a share.
        : user
          ? this.#budget.ofUser(user.id)
          : this.#budget.ofAddress(request.address)
    const body = readBody(flight.res, request, bytesMax, flight.share)
    flight.isBodyRead = true
    flight.isWaiting = true
    try {
      return await read(body)
    } finally {
      flight.share.end()
      flight.isWaiting = false // From now on the server's own time counts.
      this.#answers.flights.touch(flight)
    }
  }

  /** Stores a file while it arrives, and answers once it is whole. */
  async #receive(flight: Flight, request: WireRequest, admission: Admission): Promise<ApiResponse> {
    const body = new RequestBody(flight.res)
    flight.isBodyRead = true
    flight.rest = 'long'
    flight.onAbort = () => {
      request.abort()
      body.onGone()
    }
    const chunks = this.#follow(flight, body)
    const upload = {
      request,
      admission,
      body: chunks,
      isGone: () => flight.isAborted,
      coming: { bytes: () => body.arrivedBytes, onLost: () => this.#lose(flight) },
    }
    try {
      const response = await admitUpload(upload, this.#uploads, this.#admission)
      if (await body.drop()) flight.rest = 'none'
      return response
    } catch (error) {
      void body.drop() // It may be paused.
      throw error
    }
  }

  /** Copies each chunk, since chunks are only lent and the parser holds them. Each chunk counts as progress. */
  async *#follow(flight: Flight, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#answers.flights.touch(flight)
      yield Buffer.from(chunk)
    }
    await this.#answers.turn.next() // Before the upload is stored: its client may be cut off.
  }

  /** Another body has taken the place of this one: the client may retry on another connection. */
  #lose(flight: Flight): void {
    if (flight.isAnswered || flight.isAborted) return
    flight.rest = 'long'
    this.#answers.answer(flight, toResponse(fail('OVERLOADED')))
    this.#answers.abort(flight)
  }
}

/** A share that counts only progress, not memory. */
function noteBytes(flight: Flight): BodyShare {
  return {
    grow(bytes) {
      flight.bodyBytes = bytes
      return undefined
    },
    end() {},
  }
}

/** The fields of a form; decoding needs a copy, since signatures cover the body as it is. */
function formOf(body: Buffer): ReadonlyMap<string, string> {
  const form = new Map<string, string>()
  decodeForm(Buffer.from(body), form)
  return form
}
