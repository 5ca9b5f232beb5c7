/** Thrown if the directory cannot be reached, or its answer is wrong. Has no passwords. */

export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
}
