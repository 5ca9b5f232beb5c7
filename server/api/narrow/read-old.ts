/** Reads of messages that are not the newest: at a replica of the database, if the operator names one. */

import type { Services } from '../services.ts'
import type { PageSource } from './read-page.ts'

/** The part of a call that this needs. */
interface ReadingCall {
  readonly services: Pick<Services, 'replica'>
  readonly signal: AbortSignal
}

/** Reads at the replica if it has everything, otherwise from the source; who may read what is decided before. */
export function readOld<Result>(
  { services: { replica }, signal }: ReadingCall,
  source: PageSource,
  read: (source: PageSource) => Promise<Result>,
): Promise<Result> {
  if (!replica) return read(source)
  return replica.read(
    signal,
    (sql) => read({ sql, pageSql: sql }),
    () => read(source),
  )
}
