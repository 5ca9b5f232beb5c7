/** Requests with a file: the file streams to the file store, and the answer follows once it is whole. */

import { type Admission, type AdmitContext, answer, type ApiResponse, toResponse } from '../api/admit.ts'
import type { ArrivedFiles } from '../api/operation.ts'
import { toApiError } from '../api/to-api-error.ts'
import { discardArrival, receiveUpload } from '../changes/uploads/receive-upload.ts'
import { BYTES_PER_MIB } from '../changes/uploads/uploads.ts'
import type { User } from '../domain/entities.ts'
import type { BodyPlaces, ComingBody } from './body-places.ts'
import { decodeQuery } from './decode-form.ts'
import { BYTES_BESIDE_FILE } from './large-bodies.ts'
import { ClientGoneError, receiveFiles } from './receive-files.ts'
import type { WireRequest } from './request.ts'

/** A request that brings a file. */
export interface UploadRequest {
  readonly request: WireRequest
  readonly admission: Admission
  /** The reader owns the chunks. The stream ends early if the client disconnects; then `isGone` is true. */
  readonly body: AsyncIterable<Uint8Array>
  readonly isGone: () => boolean
  /** The body's progress, for its place. */
  readonly coming: ComingBody
}

/** Answers the request. Rejects with a `ClientGoneError` if the client disconnects; then no file is stored. */
export async function admitUpload(
  { request, admission, body, isGone, coming }: UploadRequest,
  places: BodyPlaces,
  context: AdmitContext,
): Promise<ApiResponse> {
  const { services } = context
  const { operation, exchange } = admission
  const user = exchange.user as User
  const bytesMax = services.uploads.mibMax * BYTES_PER_MIB
  let response: ApiResponse
  let arrived: ArrivedFiles = { count: 1, first: 'too_large' }
  let leave: (() => void) | undefined
  try {
    leave = places.take(user.id, coming)
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    // A body that is certain to be refused is not stored.
    if (!(request.bodyBytes > bytesMax + BYTES_BESIDE_FILE)) {
      arrived = await receiveFiles({
        contentType: request.contentType,
        body,
        isGone,
        fields,
        bytesMax,
        receive: (name, chunks) => receiveUpload(services, user, name, chunks),
        onError: services.onError,
        discard: (file) => discardArrival(services, file),
      })
    }
    const answered = await answer(request, admission, { fields, arrived }, context)
    if ('held' in answered) throw new Error(`${operation.path} takes a file, and answers later`)
    response = answered
  } catch (error) {
    if (error instanceof ClientGoneError) throw error
    response = toResponse(toApiError(error, context, request.requestId), exchange.limits.rate)
  } finally {
    leave?.()
  }
  const { first } = arrived
  if (response.status !== 200 && typeof first === 'object') await discardArrival(services, first)
  return response
}
