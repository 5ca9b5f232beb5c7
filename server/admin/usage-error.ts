/** Invalid arguments, explained in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
