/** What serves the requests of one kind of form. */

import type { Services } from '../../api/services.ts'
import type { Page } from '../reply.ts'

/** What is asked of such a page. */
export interface FormRequest {
  readonly method: string
  readonly path: string
  /** Of the query and the body. */
  readonly fields: ReadonlyMap<string, string>
}

/** Answers requests of one kind of path. */
export type ServeForm = (request: FormRequest, services: Services) => Page | Promise<Page>
