/** Starts previews of links: the database announces messages that have some at their commit. */

import type { Sql } from '../../../db/connection/connect.ts'
import { PREVIEWS_NOTICE } from '../../../db/messages/link-previews.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type { OutboundSettings } from '../../../server/domain/settings/outbound.ts'
import { GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import type { Metric } from '../../../server/measures/metric.ts'
import { Imager } from '../../pool/imager.ts'
import { PageReader } from '../../pool/page-reader.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'
import { startAnnounced } from '../start-announced.ts'
import { FETCH_LIMITS, type PreviewSources } from './fetch-preview.ts'
import { OEMBED_PROVIDERS } from './oembed-providers.ts'
import { PreviewFigures } from './preview-figures.ts'
import { type PreviewWork, runPreviews } from './run-previews.ts'
import { hash, randomBytes } from 'node:crypto'
import { storePictures } from '../../../db/files/pictures.ts'
import {
  STILL_THUMBNAIL,
  THUMBNAIL_CONTENT_TYPE,
  type ThumbnailFormat,
} from '../../../server/domain/files/thumbnails.ts'

const PICTURE_ID_BYTES = 16
/** The picture of a card, which clients show at a hundred pixels or two. */
const CARD: ThumbnailFormat = { name: '400x300.webp', widthMax: 400, heightMax: 300, isAnimated: false }
/** Previews wait for each other, and for no upload. */
const SERVER = 0

const JOB = 'preview-links'
/** Messages at once: each waits for at most five servers, and the guard bounds what one server is asked. */
const CONCURRENCY = 4
/** Milliseconds of the processor for one page: the head of an ordinary one takes one. */
const READ_MS_MAX = 2_000
/** The same for one picture, as in a web process. */
const IMAGE_MS_MAX = 15_000

/** The parts of a worker that previews need. */
export interface PreviewOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly outbound: OutboundSettings
  readonly openSender: OpenSender
}

/** Starts previews; after it resolves, no notice is missed. Answers the metrics. */
export async function startPreviews(
  context: JobContext,
  { sql, clock, outbound, openSender }: PreviewOptions,
): Promise<readonly Metric[]> {
  const work: PreviewWork = {
    sql,
    openSender,
    sources: openSources(sql, outbound, context.closers),
    figures: new PreviewFigures(),
    underWay: new Map(),
  }
  await startAnnounced(
    context,
    {
      queue: 'link-previews',
      concurrency: CONCURRENCY,
      sweep: 'sweep-previews',
      sql,
      notice: PREVIEWS_NOTICE,
      readNotice: () => ({ name: JOB, options: REMOVED_WHEN_FINISHED }),
      async run() {
        const due = await runPreviews(work)
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
  return work.figures.metrics
}

/** The sources of previews; their threads start with the first page and the first picture. */
export function openSources(
  sql: Sql,
  outbound: OutboundSettings,
  closers: JobContext['closers'],
): PreviewSources {
  const pages = new PageReader(READ_MS_MAX)
  closers.push(() => pages.close())
  const imager = new Imager(IMAGE_MS_MAX)
  closers.push(() => imager.close())
  return {
    // A way out of its own, so that slow servers take no turns of pushes and webhooks.
    fetch: new GuardedFetch(outbound),
    pages,
    storePicture: pictureStore(sql, imager),
    providers: OEMBED_PROVIDERS,
    limits: FETCH_LIMITS,
  }
}

/** Answers the function that stores a picture before anything names it; unnamed ones are removed after a day. */
function pictureStore(sql: Sql, imager: Imager): PreviewSources['storePicture'] {
  return async (original, use) => {
    const format = use === 'page' ? CARD : STILL_THUMBNAIL
    const { bytes, width, height } = await imager.makeThumbnail(format, async () => original, SERVER)
    const id = randomBytes(PICTURE_ID_BYTES).toString('hex')
    const sha256 = hash('sha256', bytes, 'hex')
    await storePictures(sql, id, [{ variant: 'preview', contentType: THUMBNAIL_CONTENT_TYPE, sha256, bytes }])
    return { id, width, height }
  }
}
