/** The token in the link to the demo, which the process prints at its start. */

import { hash, timingSafeEqual } from 'node:crypto'
import type { User } from '../../../domain/entities.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { required, text } from '../../params.ts'
import type { Services } from '../../services.ts'

/** Characters of a token: longer ones are not ours. */
const TOKEN_LENGTH_MAX = 100

export const DEMO_PARAMS = {
  token: required(text({ lengthMax: TOKEN_LENGTH_MAX }), 'The token in the link that the server printed.'),
}

/** The accounts of the demo for the holder of its link; the same failure for a wrong token and without a demo. */
export function findDemoUsers(
  { demo, state }: Services,
  token: string,
  fail: Fail<'DEMO_LINK_INVALID'>,
): readonly User[] {
  if (!demo || !timingSafeEqual(digest(token), digest(demo.token))) throw fail('DEMO_LINK_INVALID')
  return demo.accounts.flatMap(({ email, apiKeyHash }) => {
    const user = state.findUserByEmail(email)
    const hashes = user ? (state.apiKeyHashes.get(user.id) ?? []) : []
    return user?.isActive && hashes.includes(apiKeyHash) ? [user] : []
  })
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
