/** Requests that bring a file to the file store: it goes there while it comes, and they are answered once it is whole. */

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
  /** Its chunks are the reader's own. It ends early where the client goes away; then `isGone` says so. */
  readonly body: AsyncIterable<Uint8Array>
  readonly isGone: () => boolean
  /** What the place of the body is about. */
  readonly coming: ComingBody
}

/** Answers such a request. Rejects with a `ClientGoneError`; then nothing of the file is kept. */
export async function admitUpload(
  { request, admission, body, isGone, coming }: UploadRequest,
  places: BodyPlaces,
  context: AdmitContext,
): Promise<ApiResponse> {
  const { services } = context
  const { operation, visit } = admission
  const user = visit.user as User
  const bytesMax = services.uploads.mibMax * BYTES_PER_MIB
  let response: ApiResponse
  let arrived: ArrivedFiles = { count: 1, first: 'too_large' }
  let leave: (() => void) | undefined
  try {
    leave = places.take(user.id, coming)
    const fields = new Map<string, string>()
    decodeQuery(request.query, fields)
    // Of what is certain to be refused nothing is kept.
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
    response = toResponse(toApiError(error, context), visit.rate)
  } finally {
    leave?.()
  }
  const { first } = arrived
  if (response.status !== 200 && typeof first === 'object') await discardArrival(services, first)
  return response
}
