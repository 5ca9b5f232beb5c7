/** A change that is refused, worded for the operator of the server. */

export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}
