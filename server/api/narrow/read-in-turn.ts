/** Reads the messages of a narrow: searches wait for their user's turn, other narrows are read at once. */

import type { MessageQuery } from '../../../db/messages/message-query.ts'
import { SearchTooBroadError } from '../../../db/search/search-messages.ts'
import type { User } from '../../domain/entities.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { Services } from '../services.ts'
import type { PageSource } from './read-page.ts'

/** The part of a call that this needs. */
interface ReadingCall {
  readonly user: User
  readonly services: Services
  readonly signal: AbortSignal
  readonly fail: Fail<'NARROW_INVALID'>
}

const TOO_BROAD = 'this search has to compare too many messages; add a longer word, a channel or a sender'

/** Runs a read of messages on the connections for its kind of query. */
export async function readInTurn<Result>(
  { user, services, signal, fail }: ReadingCall,
  { filter }: MessageQuery,
  read: (source: PageSource) => Promise<Result>,
): Promise<Result> {
  if (filter.searches.length === 0) return read(services)
  try {
    return await services.searches.run(user.id, signal, (sql) => read({ sql, pageSql: sql }))
  } catch (error) {
    throw error instanceof SearchTooBroadError ? fail('NARROW_INVALID', { reason: TOO_BROAD }) : error
  }
}
