/** What serves the requests of one kind of form. */

import type { AdmitContext } from '../../api/admit.ts'
import type { Page } from '../reply.ts'

/** What is asked of such a page. */
export interface FormRequest {
  readonly method: string
  readonly path: string
  /** Of the query and the body. */
  readonly fields: ReadonlyMap<string, string>
  readonly address: string
}

/** Answers requests of one kind of path. */
export type ServeForm = (request: FormRequest, context: AdmitContext) => Page | Promise<Page>
