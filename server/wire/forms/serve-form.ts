/** The function that serves one kind of form. */

import type { Services } from '../../api/services.ts'
import type { Page } from '../reply.ts'

/** A request for such a page. */
export interface FormRequest {
  readonly method: string
  readonly path: string
  /** From the query and the body. */
  readonly fields: ReadonlyMap<string, string>
}

/** Serves requests for one kind of path. */
export type ServeForm = (request: FormRequest, services: Services) => Page | Promise<Page>
