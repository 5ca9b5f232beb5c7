/** Imports of archives of other products: owners upload one, a worker reads it, and brings over what it holds. */

import type { ImportId, UserId } from '../ids.ts'
import { IMPORTS_LISTED_MAX } from '../limits.ts'

/** The products whose archives can be read. */
export const IMPORT_PRODUCTS = ['slack', 'mattermost', 'rocket-chat', 'discord', 'zulip', 'parley'] as const
export type ImportProduct = (typeof IMPORT_PRODUCTS)[number]

/** The parts of the work, in their order. */
export const IMPORT_STEPS = [
  'starting',
  'people and channels',
  'people',
  'pictures of people',
  'custom emoji',
  'channels',
  'files',
  'messages',
  'pins, stars and archived channels',
] as const
export type ImportStep = (typeof IMPORT_STEPS)[number]

/** The archive in the file store. */
export interface ImportArchive {
  readonly key: string
  readonly bytes: number
}

/** How far a worker is. */
export interface ImportProgress {
  readonly step: ImportStep
  /** Messages that were read. */
  readonly messages: number
}

/** Its state; `at` is the UNIX second at which the phase began. */
export type ImportState =
  /** The archive is still to come. */
  | { readonly phase: 'waiting'; readonly at: number }
  /** A worker reads the archive, and changes nothing. */
  | {
      readonly phase: 'checking'
      readonly at: number
      readonly archive: ImportArchive
      readonly progress: ImportProgress
    }
  /** The report says what would come over, and the owner decides. */
  | {
      readonly phase: 'checked'
      readonly at: number
      readonly archive: ImportArchive
      /** Messages in the archive. */
      readonly messages: number
    }
  | {
      readonly phase: 'running'
      readonly at: number
      readonly archive: ImportArchive
      /** Messages in the archive. */
      readonly messages: number
      readonly progress: ImportProgress
    }
  | { readonly phase: 'done'; readonly at: number }
  /** `reason` is a sentence for the owner. */
  | { readonly phase: 'failed'; readonly at: number; readonly reason: string }
  | { readonly phase: 'cancelled'; readonly at: number }

export type ImportPhase = ImportState['phase']
export const IMPORT_PHASES = [
  'waiting',
  'checking',
  'checked',
  'running',
  'done',
  'failed',
  'cancelled',
] as const satisfies readonly ImportPhase[]

/** The name that an owner chose for a channel of the archive whose name is taken; a channel here may have it. */
export interface ChosenName {
  /** In the report. */
  readonly name: string
  readonly importedAs: string
}

/** The names of channels that an import would make, by the check of its archive. */
export interface PlannedNames {
  /** Channels whose names are taken, with the names that they get unless the owner chooses others. */
  readonly taken: readonly (ChosenName & { readonly isPrivate: boolean })[]
  /** Names of the other new channels. */
  readonly others: readonly string[]
}

/** Why a channel of an archive cannot come into one that is here: no one may read or write more by that. */
export function findMergeProblem(
  isPrivate: boolean,
  there: { readonly isPrivate: boolean; readonly isArchived: boolean },
): 'archived' | 'public' | undefined {
  if (there.isArchived) return 'archived'
  return isPrivate && !there.isPrivate ? 'public' : undefined
}

/** An import. */
export interface OrganizationImport {
  readonly id: ImportId
  /** The owner who began it. */
  readonly userId: UserId
  readonly product: ImportProduct
  /** The name of the archive on the owner's machine. */
  readonly fileName: string
  /** Whether files are fetched that the archive only links. */
  readonly isFetching: boolean
  /** Whether new accounts get the roles that they had there. */
  readonly isKeepingRoles: boolean
  readonly channelNames: readonly ChosenName[]
  /** UNIX seconds. */
  readonly requestedAt: number
  readonly state: ImportState
}

/** The import of an event: without the names, which may be many, as long as they stay as they were. */
export type ChangedImport = Omit<OrganizationImport, 'channelNames'> & Partial<OrganizationImport>

/** Whether nothing more happens with an import. */
export function isImportOver({ state: { phase } }: Pick<OrganizationImport, 'state'>): boolean {
  return phase === 'done' || phase === 'failed' || phase === 'cancelled'
}

/** The list after an import was added or changed; the oldest leave it. */
export function withImport(
  imports: readonly OrganizationImport[],
  changed: ChangedImport,
): readonly OrganizationImport[] {
  const known = imports.find(({ id }) => id === changed.id)
  const others = imports.filter((one) => one !== known)
  return [...others, { channelNames: known?.channelNames ?? [], ...changed }]
    .sort((one, other) => one.id - other.id)
    .slice(-IMPORTS_LISTED_MAX)
}
