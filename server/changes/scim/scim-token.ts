/** The token of the company's provider of identities. Without one, SCIM is off. */

import { answering, done } from '../../decisions/decision.ts'
import { ChangeRefused } from '../../errors/change-refused.ts'
import { newApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** Makes a token, which replaces the former one; it is stored as a hash alone. */
export async function makeScimToken(writer: Writer): Promise<string> {
  const { apiKey, keyHash } = newApiKey()
  await submitForServer(writer, ({ state }) => {
    if (!state.organization) throw new ChangeRefused('there is no organization yet: create it first')
    return done([{ type: 'scim_token_changed', tokenHash: keyHash }])
  })
  return apiKey
}

/** Ends the token; answers whether there was one. */
export async function endScim(writer: Writer): Promise<boolean> {
  return submitForServer(writer, ({ state }) =>
    state.scimTokenHash === null
      ? answering(false, [])
      : answering(true, [{ type: 'scim_token_changed', tokenHash: null }]),
  )
}
