/** The parts of an entry in the table of errors. */

/** Body fields beside the default ones. */
export type Extra = Record<string, unknown>

/** One kind of failure. */
export interface ErrorCase<Details> {
  readonly status: number
  /** Absent only for errors without a code in the API family. */
  readonly code?: string
  message(details: Details): string
  /** Documented fields beside `result`, `msg` and `code`; strict clients reject others. */
  extra?(details: Details): Extra
}

/** A case with a fixed message. */
export function plain(status: number, code: string, text: string): ErrorCase<undefined> {
  return { status, code, message: () => text }
}

/** A case whose message names the details. */
export function worded<Details>(
  status: number,
  code: string,
  message: (details: Details) => string,
  extra?: (details: Details) => Extra,
): ErrorCase<Details> {
  return extra ? { status, code, message, extra } : { status, code, message }
}

/** A bad request without a code of its own: clients show only its message. */
export function badRequest(text: string): ErrorCase<undefined>
export function badRequest<Details>(
  message: (details: Details) => string,
  extra?: (details: Details) => Extra,
): ErrorCase<Details>
export function badRequest<Details>(
  message: string | ((details: Details) => string),
  extra?: (details: Details) => Extra,
): ErrorCase<Details> {
  return worded(400, 'BAD_REQUEST', typeof message === 'string' ? () => message : message, extra)
}

/** Cases by name. */
export type ErrorCases = Readonly<Record<string, ErrorCase<never>>>
