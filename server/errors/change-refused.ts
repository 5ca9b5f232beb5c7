/** Why a change may not be, worded for the operator of the server. */

export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused'
}
