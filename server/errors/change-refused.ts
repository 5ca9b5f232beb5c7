/** A rejected change, worded for the server's operator. */

export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}
