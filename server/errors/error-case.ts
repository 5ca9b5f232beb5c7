/** What a case of the table of errors says. */

/** Fields of a body beside the usual. */
export type Extra = Record<string, unknown>

/** One way to fail. */
export interface ErrorCase<Details> {
  readonly status: number
  /** Absent only where the API family sends none. */
  readonly code?: string
  message(details: Details): string
  /** Documented fields beside `result`, `msg` and `code`; strict clients reject others. */
  extra?(details: Details): Extra
}

/** A case that always says the same. */
export function plain(status: number, code: string, text: string): ErrorCase<undefined> {
  return { status, code, message: () => text }
}

/** A case whose message tells what it is about. */
export function worded<Details>(
  status: number,
  code: string,
  message: (details: Details) => string,
  extra?: (details: Details) => Extra,
): ErrorCase<Details> {
  return extra ? { status, code, message, extra } : { status, code, message }
}

/** A request that cannot be done, of which clients tell no more than its message. */
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
