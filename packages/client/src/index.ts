/** The typed client of Parley's API. */

export { ApiError, ConnectionError } from './errors.ts'
export { ParleyClient, type ClientOptions, type ParamsOf, type ReplyOf } from './client.ts'
export type { ConnectionPhase, EventOptions, Update } from './event-stream.ts'
export type { UploadOptions, UploadProgress } from './upload.ts'
export type * from './wire-types.ts'
