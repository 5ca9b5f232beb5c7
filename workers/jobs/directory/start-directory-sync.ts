/** Starts the sync with the company's directory, if the operator wants one. */

import { Directory } from '../../../server/changes/sign-on/directory/directory.ts'
import { type SyncResult, syncDirectory } from '../../../server/changes/sign-on/directory/sync-directory.ts'
import type { DirectorySettings } from '../../../server/domain/accounts/directory-settings.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { addEachPeriod, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'

interface DirectorySyncOptions {
  readonly settings: DirectorySettings
  readonly minutes: number
  readonly clock: Clock
  readonly openSender: OpenSender
  /** Called with the counts of a sync. */
  readonly onDone: (counts: object) => void
  /** Gets sentences for the operator. */
  readonly onWarning: (message: string) => void
}

/** When it resolves, the first sync is queued. */
export async function startDirectorySync(
  context: JobContext,
  { settings, minutes, clock, openSender, onDone, onWarning }: DirectorySyncOptions,
): Promise<void> {
  const directory = new Directory(settings, clock)
  const queue = openJobQueue(context, 'directory')
  queue.work(async () => {
    const sender = await openSender()
    await sender.catchUp()
    const request = { isDry: false, deactivatesMany: false }
    const result = await syncDirectory({ ...sender.services, onWarning }, directory, request)
    await sender.tell()
    onDone(countsOf(result))
    warnOfKept(result, onWarning)
    return result.people
  })
  await addEachPeriod(queue, context, clock, { name: 'sync-directory', periodMs: minutes * 60_000 })
}

/** Names nobody: logs are read by many. */
function countsOf(result: SyncResult): object {
  const count = (value: unknown) => (Array.isArray(value) ? value.length : value)
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, count(value)]))
}

function warnOfKept({ kept_active: kept }: SyncResult, onWarning: (message: string) => void): void {
  if (kept.length > 0)
    onWarning(
      `${kept.length} people have left the directory and stay active: look at 'ldap sync --dry-run', then run 'ldap sync --deactivate-many'`,
    )
}
