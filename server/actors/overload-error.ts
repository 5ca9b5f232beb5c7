/** Thrown if changes arrive faster than they are committed. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError'
}
