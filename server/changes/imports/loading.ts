/** The parts that each step of an import works with. */

import type { Imager } from '../../../workers/pool/imager.ts'
import type { ChannelId, GroupId } from '../../domain/ids.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { People } from './load-users.ts'
import type { ForeignSource } from './records.ts'
import type { Report } from './report.ts'
import type { ImportTarget } from './target.ts'

/** The parts of an import. */
export interface Loading {
  readonly target: ImportTarget
  readonly source: ForeignSource
  readonly report: Report
  readonly people: People
  /** The groups here by their ids there. */
  readonly groups: Map<string, GroupId>
  /** Undefined for products whose files do not come over. */
  readonly filing: ImportFiling | undefined
}

/** The parts that files need. */
export interface ImportFiling {
  readonly fileStore: FileStore
  readonly imager: Imager
  /** Undefined if files that the archive only links stay where they are. */
  readonly fetch?: GuardedFetch
}

/** The place of a message. */
export type ImportPlace =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly label: string }
  | { readonly kind: 'direct'; readonly members: readonly string[]; readonly label: string }
